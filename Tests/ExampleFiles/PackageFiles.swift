import Foundation

/// The files of this package, named by their paths from its folder on.
enum PackageFiles {
  /// The folder of the package.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files below a folder that have an ending, in the order of their paths.
  static func all(below folder: String, ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
      .filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
  }

  /// The lines of a file.
  static func lines(of file: String) throws -> [String] {
    try String(contentsOf: root.appending(path: file), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  /// Runs a closure with a new folder, which is gone afterwards.
  static func withTemporaryFolder<Output>(_ body: (URL) throws -> Output) throws -> Output {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
