#if GTK
import Foundation
import Testing

/// Texts in files of the folder Goldens. Set `RECORD_SCREENS` to record them.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Goldens")

  /// Records an issue with the lines that differ from those of a file.
  static func expect(_ text: String, in name: String) throws {
    let file = folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
      try Data(text.utf8).write(to: file)
      Issue.record("\(name): recorded the text instead of comparing it.")
    }
    let found = differences(text, from: try String(contentsOf: file, encoding: .utf8))
    #expect(found.isEmpty, "\(name):\n\(found.joined(separator: "\n"))")
  }

  /// Returns the lines that only one of two texts has.
  static func differences(_ text: String, from wanted: String) -> [String] {
    lines(of: text).difference(from: lines(of: wanted)).map { change in
      switch change {
      case .insert(let line, let text, _): "line \(line + 1): there is \(text)"
      case .remove(let line, let text, _): "line \(line + 1): \(text) is missing"
      }
    }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
#endif
