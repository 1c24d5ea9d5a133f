// swift-tools-version: 6.2
import PackageDescription

// A client package of Runnel, built with optimization. `Scripts/clients` copies it out of the
// checkout, adds the generated files, and runs every executable.

func runnel(_ names: String...) -> [Target.Dependency] {
  ["Checking"] + names.map { .product(name: $0, package: "Runnel") }
}

/// Compiles a module file by file instead of as a whole.
let fileByFile: SwiftSetting = .unsafeFlags(["-no-whole-module-optimization"])
/// Allows `@testable` imports of a module.
let testable: SwiftSetting = .unsafeFlags(["-enable-testing"])

func matrix(_ name: String, _ settings: SwiftSetting...) -> Target {
  .target(name: name, dependencies: runnel("RunnelProxies"), swiftSettings: settings)
}

/// True if the package is built with windows.
let hasWindows = Context.environment["RUNNEL_GTK"] != nil

let package = Package(
  name: "Clients",
  dependencies: [
    .package(
      name: "Runnel", path: Context.environment["RUNNEL_CHECKOUT"] ?? "../..",
      traits: hasWindows ? ["GTK"] : [])
  ],
  targets: [
    .target(name: "Checking"),
    .target(name: "Notepads", dependencies: runnel("RunnelProxies")),
    .executableTarget(name: "Proxies", dependencies: ["Notepads"] + runnel("RunnelProxies")),
    .executableTarget(name: "Bus", dependencies: runnel("Runnel")),
    .executableTarget(name: "Streams", dependencies: runnel("Runnel")),
    .executableTarget(name: "Depth", dependencies: runnel("Runnel")),
    .executableTarget(name: "Collections", dependencies: runnel("Runnel")),
    .executableTarget(name: "Loop", dependencies: runnel("Runnel")),
    .executableTarget(name: "JSON", dependencies: runnel("Runnel")),
    .executableTarget(
      name: "Net", dependencies: runnel("Runnel", "RunnelNetTesting", "RunnelTesting")),
    .executableTarget(
      name: "Static", dependencies: runnel("Runnel"),
      linkerSettings: [.unsafeFlags(["-static-executable"])]),
    .executableTarget(
      name: "Desk", dependencies: runnel("Runnel", "RunnelDesk", "RunnelTerminal")),

    matrix("WholeMatrix"),
    matrix("FilesMatrix", fileByFile),
    matrix("TestableWholeMatrix", testable),
    matrix("TestableFilesMatrix", testable, fileByFile),
    .executableTarget(
      name: "LibraryMatrix",
      dependencies: ["WholeMatrix", "FilesMatrix", "TestableWholeMatrix", "TestableFilesMatrix"]),
    .executableTarget(name: "MainMatrix", dependencies: runnel("RunnelProxies")),
    .executableTarget(
      name: "FilesMainMatrix", dependencies: runnel("RunnelProxies"), swiftSettings: [fileByFile]),

    .executableTarget(
      name: "StreamExamples",
      dependencies: runnel(
        "Runnel", "RunnelFoundation", "RunnelNetTesting", "RunnelTesting", "RunnelText",
        "RunnelTLS")),
    .executableTarget(
      name: "DeskExamples",
      dependencies: runnel(
        "Runnel", "RunnelDesk", "RunnelNetTesting", "RunnelTerminal", "RunnelTesting",
        "RunnelText")),
  ],
  swiftLanguageModes: [.v6]
)

if hasWindows {
  package.targets.append(
    .executableTarget(
      name: "WindowClient", dependencies: runnel("RunnelDesk", "RunnelGTK", "RunnelLoop")))
}
