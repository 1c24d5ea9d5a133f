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
    let (shown, wanted) = (
      lines(of: text), lines(of: try String(contentsOf: file, encoding: .utf8))
    )
    let differences = shown.difference(from: wanted).map { change in
      switch change {
      case .insert(let line, let text, _): "line \(line + 1): there is \(text)"
      case .remove(let line, let text, _): "line \(line + 1): \(text) is missing"
      }
    }
    #expect(differences.isEmpty, "\(name):\n\(differences.joined(separator: "\n"))")
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
#endif
