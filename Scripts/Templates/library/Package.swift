// swift-tools-version: 6.2
import PackageDescription

func runnel(_ product: String) -> Target.Dependency { .product(name: product, package: "Runnel") }

let package = Package(
  name: "NAME",
  products: [.library(name: "NAME", targets: ["NAME"])],
  dependencies: [.package(name: "Runnel", path: "RUNNEL")],
  targets: [
    .target(
      name: "NAME",
      dependencies: [runnel("RunnelStreams")]),
    .testTarget(
      name: "NAMETests",
      dependencies: [
        "NAME", runnel("RunnelStreams"), runnel("RunnelTesting"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
