import Foundation
import Testing

@testable import ExampleFiles

/// The manifest of the package where the macros cannot be built, as on macOS.
@Suite struct ManifestTests {
  private struct Manifest: Decodable {
    struct Named: Decodable { let name: String }
    let products: [Named]
    let targets: [Named]
  }

  /// Returns the manifest as SwiftPM reads it, and what it prints besides.
  private static func manifest(swiftSyntax: String?) throws -> (Manifest, messages: String) {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", PackageFiles.root.path(percentEncoded: false),
      "--scratch-path", scratch.path(percentEncoded: false), "dump-package",
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["RUNNEL_SWIFT_SYNTAX"] = swiftSyntax
    environment["RUNNEL_TARGETS"] = nil
    process.environment = environment
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let json = try output.fileHandleForReading.readToEnd() ?? Data()
    let text = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      try JSONDecoder().decode(Manifest.self, from: json), String(decoding: text, as: UTF8.self)
    )
  }

  @Test func resolvesWithoutSwiftSyntax() throws {
    let (usual, noMessages) = try Self.manifest(swiftSyntax: nil)
    let (reduced, messages) = try Self.manifest(swiftSyntax: "/nowhere")
    let names = Set(usual.targets.map(\.name))
    let macros: Set = ["RunnelExpansions", "RunnelExpansionsTests", "RunnelMacros"]
    #expect(names.isSuperset(of: macros))
    #expect(Set(reduced.targets.map(\.name)) == names.subtracting(macros))
    // Other packages name the products, so all of them stay.
    #expect(reduced.products.map(\.name) == usual.products.map(\.name))
    #expect(messages.contains("@Proxied is not available"))
    #expect(!noMessages.contains("@Proxied"))
  }
}
