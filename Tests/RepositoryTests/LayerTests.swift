import Foundation
import Testing

@testable import ExampleFiles

/// The references between the folders of a module follow the layers that `Documentation/Architecture.md` lists.
@Suite struct LayerTests {
  /// A reference from a file of one folder to a type of another.
  private struct Reference: CustomStringConvertible {
    let module: String
    let folder: String
    let target: String

    /// Parses a line of the script: "MODULE/FOLDER -> FOLDER".
    init?(_ line: Substring) {
      let sides = line.split(separator: " -> ")
      guard sides.count == 2, let slash = sides[0].firstIndex(of: "/") else { return nil }
      module = String(sides[0][..<slash])
      folder = String(sides[0][sides[0].index(after: slash)...])
      target = String(sides[1])
    }

    var description: String { "\(module)/\(folder) -> \(target)" }
  }

  /// The layer of each folder of each module, counted from the lowest.
  private static func documentedLayers() throws -> [String: [String: Int]] {
    var modules: [String: [String: Int]] = [:]
    for line in try PackageFiles.lines(of: "Documentation/Architecture.md") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2, cells[0].hasPrefix("`Runnel"), cells[1].contains(" ← ") else {
        continue
      }
      var layers: [String: Int] = [:]
      for (layer, folders) in cells[1].components(separatedBy: " ← ").enumerated() {
        for folder in folders.components(separatedBy: ", ") { layers[folder] = layer }
      }
      modules[cells[0].trimmingCharacters(in: ["`"])] = layers
    }
    return modules
  }

  private static func references() throws -> [Reference] {
    let pipe = try #require(popen(PackageFiles.root.appending(path: "Scripts/layers").path(), "re"))
    var (output, buffer) = ("", [CChar](repeating: 0, count: 4_096))
    while fgets(&buffer, Int32(buffer.count), pipe) != nil {
      output += String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    try #require(pclose(pipe) == 0)
    return output.split(separator: "\n").compactMap(Reference.init)
  }

  @Test func foldersReferToLowerLayersOnly() throws {
    let modules = try Self.documentedLayers()
    let references = try Self.references()
    #expect(modules.count >= 9 && references.count > 100)
    for reference in references {
      let layers = try #require(modules[reference.module], "\(reference.module) has no layers.")
      let layer = try #require(layers[reference.folder], "\(reference) has no layer.")
      let target = try #require(layers[reference.target], "\(reference) has no layer.")
      #expect(target < layer, "\(reference) points to a higher layer.")
    }
  }
}
