import Foundation

/// A script of the package that creates a table from Python's Unicode data, and the checked-in
/// table.
struct TableScript {
  let name: String
  let source: String

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The table in the sources.
  var table: String {
    get throws { try String(contentsOf: Self.root.appending(path: source), encoding: .utf8) }
  }

  /// The output of the script.
  var made: String {
    get throws { try Self.run(Self.root.appending(path: "Scripts/\(name)").path()) }
  }

  /// Returns the Unicode version of a table.
  static func version(of table: String) -> [Int] {
    let version = table.firstMatch(of: #/from Unicode ([0-9.]+)/#)?.output.1 ?? ""
    return version.split(separator: ".").compactMap { Int($0) }
  }

  private static func run(_ command: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
