// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunnelWindowClient",
  dependencies: [.package(name: "Runnel", path: "../..", traits: ["GTK"])],
  targets: [
    .executableTarget(
      name: "WindowClient",
      dependencies: [
        .product(name: "RunnelDesk", package: "Runnel"),
        .product(name: "RunnelGTK", package: "Runnel"),
        .product(name: "RunnelLoop", package: "Runnel"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
