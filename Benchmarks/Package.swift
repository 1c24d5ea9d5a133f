// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunnelBenchmarks",
  dependencies: [.package(name: "Runnel", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Bench",
      dependencies: ["CAllocations", .product(name: "Runnel", package: "Runnel")]),
  ],
  swiftLanguageModes: [.v6]
)
