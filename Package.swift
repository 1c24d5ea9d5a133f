// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Runnel",
  products: [
    .library(name: "Runnel", targets: ["Runnel"]),
    .library(name: "RunnelStreams", targets: ["RunnelStreams"]),
    .library(name: "RunnelCollections", targets: ["RunnelCollections"]),
    .library(name: "RunnelBus", targets: ["RunnelBus"]),
    .library(name: "RunnelLoop", targets: ["RunnelLoop"]),
    .library(name: "RunnelTesting", targets: ["RunnelTesting"]),
    .executable(name: "tour", targets: ["Tour"]),
    .executable(name: "rerun", targets: ["Rerun"]),
  ],
  targets: [
    .target(name: "RunnelStreams"),
    .target(name: "RunnelCollections", dependencies: ["RunnelStreams"]),
    .target(name: "RunnelBus", dependencies: ["RunnelStreams"]),
    .target(name: "RunnelTesting", dependencies: ["RunnelStreams", "RunnelCollections"]),
    .systemLibrary(name: "CLibevent", providers: [.apt(["libevent-dev"])]),
    .target(name: "RunnelLoop", dependencies: ["RunnelStreams", "CLibevent"]),
    .target(
      name: "Runnel",
      dependencies: ["RunnelStreams", "RunnelCollections", "RunnelBus", "RunnelLoop"]),
    .executableTarget(
      name: "Tour", dependencies: ["Runnel", "RunnelTesting"], path: "Samples/Tour"),
    .executableTarget(name: "Rerun", dependencies: ["Runnel"], path: "Samples/Rerun"),
    .testTarget(
      name: "RunnelStreamsTests",
      dependencies: [
        "RunnelStreams", "RunnelCollections", "RunnelBus", "RunnelLoop", "RunnelTesting",
      ],
      exclude: ["Safety/Snippets", "Documentation/Prelude.swift"]),
    .executableTarget(
      name: "LoopFixture", dependencies: ["RunnelLoop", "CLibevent"], path: "Tests/LoopFixture"),
    .testTarget(
      name: "RunnelLoopTests",
      dependencies: ["RunnelLoop", "RunnelTesting", "CLibevent", "LoopFixture"]),
    .testTarget(
      name: "RunnelCollectionsTests", dependencies: ["RunnelCollections", "RunnelTesting"]),
    .testTarget(
      name: "RunnelBusTests", dependencies: ["RunnelBus", "RunnelLoop", "RunnelTesting"]),
    .testTarget(name: "TourTests", dependencies: ["Tour"], exclude: ["Transcript.txt"]),
    .testTarget(name: "RunnelTestingTests", dependencies: ["RunnelStreams", "RunnelTesting"]),
  ],
  swiftLanguageModes: [.v6]
)
