// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunnelWindowBenchmarks",
  dependencies: [.package(name: "Runnel", path: "../..", traits: ["GTK"])],
  targets: [
    .executableTarget(
      name: "WindowBench",
      dependencies: [
        .product(name: "Runnel", package: "Runnel"),
        .product(name: "RunnelDesk", package: "Runnel"),
        .product(name: "RunnelGTK", package: "Runnel"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
