// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Runnel",
  products: [
    .library(name: "Runnel", targets: ["Runnel"]),
    .library(name: "RunnelStreams", targets: ["RunnelStreams"]),
    .library(name: "RunnelTesting", targets: ["RunnelTesting"]),
    .executable(name: "tour", targets: ["Tour"]),
  ],
  targets: [
    .target(name: "RunnelStreams"),
    .target(name: "RunnelTesting", dependencies: ["RunnelStreams"]),
    .target(name: "Runnel", dependencies: ["RunnelStreams"]),
    .executableTarget(
      name: "Tour", dependencies: ["Runnel", "RunnelTesting"], path: "Samples/Tour"),
    .testTarget(
      name: "RunnelStreamsTests", dependencies: ["RunnelStreams", "RunnelTesting"],
      exclude: ["Safety/Snippets", "Documentation/Prelude.swift"]),
    .testTarget(name: "TourTests", dependencies: ["Tour"], exclude: ["Transcript.txt"]),
    .testTarget(name: "RunnelTestingTests", dependencies: ["RunnelStreams", "RunnelTesting"]),
  ],
  swiftLanguageModes: [.v6]
)
