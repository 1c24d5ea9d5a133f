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

  /// Returns the manifest as SwiftPM reads it, and its messages.
  private static func manifest(variable: String?) throws -> (Manifest, messages: Substring) {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: scratch) }
    // A manifest from the cache prints nothing.
    let output = try Compiler().run(
      "swift",
      [
        "package", "--package-path", PackageFiles.root.path(percentEncoded: false),
        "--scratch-path", scratch.path(percentEncoded: false), "--manifest-cache", "none",
        "dump-package",
      ], variable: variable
    ).output
    let start = try #require(output.range(of: "{\n")?.lowerBound, "\(output)")
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(output[start...].utf8))
    return (manifest, output[..<start])
  }

  @Test func resolvesWithoutSwiftSyntax() throws {
    let (usual, noMessages) = try Self.manifest(variable: nil)
    let (reduced, messages) = try Self.manifest(variable: "RUNNEL_SWIFT_SYNTAX=/nowhere")
    let names = Set(usual.targets.map(\.name))
    let macros: Set = ["RunnelExpansions", "RunnelExpansionsTests", "RunnelMacros"]
    #expect(names.isSuperset(of: macros))
    #expect(Set(reduced.targets.map(\.name)) == names.subtracting(macros))
    // Other packages name the products, so all of them stay.
    #expect(reduced.products.map(\.name) == usual.products.map(\.name))
    #expect(messages.contains("@Proxied and @BusInterface are not available"))
    #expect(!noMessages.contains("@Proxied"))
  }
}
