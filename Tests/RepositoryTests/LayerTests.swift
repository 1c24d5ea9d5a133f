import Foundation
import Testing

@testable import ExampleFiles

/// The references between the folders of a module follow the layers that `Documentation/Architecture.md` lists.
@Suite struct LayerTests {
  /// A reference from a file of one folder to a type of another.
  private struct Reference: CustomStringConvertible {
    /// The module, or the folder of a module, that has both folders as subfolders.
    let parent: String
    let folder: String
    let target: String

    /// Parses a line of the script: "PARENT/FOLDER -> FOLDER".
    init?(_ line: Substring) {
      let sides = line.split(separator: " -> ")
      guard sides.count == 2, let slash = sides[0].lastIndex(of: "/") else { return nil }
      parent = String(sides[0][..<slash])
      folder = String(sides[0][sides[0].index(after: slash)...])
      target = String(sides[1])
    }

    var description: String { "\(parent)/\(folder) -> \(target)" }
  }

  /// The layer of each subfolder of each module and folder, counted from the lowest.
  private static func documentedLayers() throws -> [String: [String: Int]] {
    var parents: [String: [String: Int]] = [:]
    for line in try PackageFiles.lines(of: "Documentation/Architecture.md") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2, cells[0].hasPrefix("`Runnel"), cells[1].contains(" ← ") else {
        continue
      }
      var layers: [String: Int] = [:]
      for (layer, folders) in cells[1].components(separatedBy: " ← ").enumerated() {
        for folder in folders.components(separatedBy: ", ") { layers[folder] = layer }
      }
      parents[cells[0].trimmingCharacters(in: ["`"])] = layers
    }
    return parents
  }

  @Test func foldersReferToLowerLayersOnly() throws {
    let parents = try Self.documentedLayers()
    let (status, output) = try runScript("layers")
    let references = output.split(separator: "\n").compactMap(Reference.init)
    #expect(status == 0, "\(output)")
    #expect(parents.count >= 14)
    #expect(references.count > 100)
    for reference in references {
      let layers = try #require(parents[reference.parent], "\(reference.parent) has no layers.")
      let layer = try #require(layers[reference.folder], "\(reference) has no layer.")
      let target = try #require(layers[reference.target], "\(reference) has no layer.")
      #expect(target < layer, "\(reference) points to a higher layer.")
    }
  }

  @Test func documentedFoldersExist() throws {
    for (parent, layers) in try Self.documentedLayers() {
      for folder in layers.keys {
        let path = PackageFiles.root.appending(path: "Sources/\(parent)/\(folder)").path()
        #expect(FileManager.default.fileExists(atPath: path), "There is no \(parent)/\(folder).")
      }
    }
  }
}
