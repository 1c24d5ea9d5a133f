// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunnelBenchmarks",
  products: [.executable(name: "bench", targets: ["Bench"])],
  dependencies: [.package(name: "Runnel", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .target(
      name: "CBaseline",
      linkerSettings: [.linkedLibrary("event_core"), .linkedLibrary("dispatch")]),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CAllocations", "CBaseline", .product(name: "Runnel", package: "Runnel"),
        .product(name: "RunnelDesk", package: "Runnel"),
        .product(name: "RunnelTerminal", package: "Runnel"),
        .product(name: "RunnelTesting", package: "Runnel"),
      ],
      // A chain of twelve operators must type-check in 100 ms.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=100"])]),
  ],
  swiftLanguageModes: [.v6]
)
