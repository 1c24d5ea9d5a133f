// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunnelBenchmarks",
  products: [.executable(name: "bench", targets: ["Bench"])],
  dependencies: [
    .package(
      name: "Runnel", path: "..", traits: Context.environment["RUNNEL_GTK"] != nil ? ["GTK"] : [])
  ],
  targets: [
    .target(name: "CAllocations"),
    .target(
      name: "CBaseline",
      linkerSettings: [
        .linkedLibrary("crypto"), .linkedLibrary("dispatch"), .linkedLibrary("event_core"),
        .linkedLibrary("event_extra"), .linkedLibrary("mosquitto"), .linkedLibrary("ssl"),
        .linkedLibrary("systemd"),
      ]),
    .target(
      name: "Operators", dependencies: [.product(name: "RunnelStreams", package: "Runnel")]),
    // The same file in one module with the sources of RunnelStreams, which are linked there.
    .target(name: "OperatorsInside", swiftSettings: [.define("INSIDE")]),
    // The parser of requests, which is not public.
    .target(
      name: "HTTPParsing", dependencies: [.product(name: "RunnelStreams", package: "Runnel")]),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CAllocations", "CBaseline", "HTTPParsing", "Operators", "OperatorsInside",
        .product(name: "Runnel", package: "Runnel"),
        .product(name: "RunnelDBus", package: "Runnel"),
        .product(name: "RunnelDesk", package: "Runnel"),
        .product(name: "RunnelMQTT", package: "Runnel"),
        .product(name: "RunnelTerminal", package: "Runnel"),
        .product(name: "RunnelTLS", package: "Runnel"),
      ],
      // A resource of Notes, whose sources are linked here.
      resources: [.embedInCode("Notes/Screen/Keys.txt")],
      // A chain of twelve operators must type-check in 100 ms.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=100"])]),
  ],
  swiftLanguageModes: [.v6]
)
