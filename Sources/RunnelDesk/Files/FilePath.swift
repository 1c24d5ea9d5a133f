/// An absolute path of a folder or file, without "." and "..".
struct FilePath: Equatable {
  private var parts: [Substring]

  /// Resolves a path that the user has typed, relative to a folder. "~" is the home folder.
  init(_ text: String, in folder: FilePath? = nil, home: String) {
    var text = text[...]
    if text == "~" || text.hasPrefix("~/") { text = home + text.dropFirst() }
    parts = text.hasPrefix("/") ? [] : folder?.parts ?? []
    for part in text.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
  }

  var text: String { "/" + parts.joined(separator: "/") }

  var isRoot: Bool { parts.isEmpty }

  /// The last part; empty for the topmost folder.
  var name: String { parts.last.map(String.init) ?? "" }

  /// The folder that contains it; the topmost folder contains itself.
  var folder: FilePath {
    var path = self
    _ = path.parts.popLast()
    return path
  }

  func appending(_ name: String) -> FilePath {
    var path = self
    path.parts.append(name[...])
    return path
  }
}
