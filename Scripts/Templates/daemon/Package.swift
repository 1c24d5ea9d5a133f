// swift-tools-version: 6.2
import PackageDescription

func runnel(_ product: String) -> Target.Dependency { .product(name: product, package: "Runnel") }

let package = Package(
  name: "NAME",
  dependencies: [.package(name: "Runnel", path: "RUNNEL")],
  targets: [
    .executableTarget(
      name: "NAME",
      dependencies: [runnel("Runnel")]),
    .testTarget(
      name: "NAMETests",
      dependencies: [
        "NAME", runnel("Runnel"), runnel("RunnelNetTesting"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
