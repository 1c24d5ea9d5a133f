import Runnel

/// What the arguments of the program ask for.
struct Invocation: Equatable {
  enum Command: Equatable {
    /// The app on the terminal, or on no screen and driven by a script.
    case app(script: String?)
    case list
    case show(String)
    /// Without a text, what comes from the standard input.
    case new(String, text: String?)
    case search(String)
    case help
    case version
  }

  struct UsageError: Error, Equatable {
    let message: String
  }

  private static let commands = ["list", "show", "new", "search"]

  private static func unknown(_ word: String) -> UsageError {
    let meant = commands.min { $0.difference(from: word).count < $1.difference(from: word).count }
    let isNear = meant.map { $0.difference(from: word).count <= 2 } ?? false
    let question = isNear ? " Did you mean \(meant ?? "")?" : ""
    return UsageError(
      message: "There is no command and no folder called \"\(word)\".\(question)"
        + " For a new folder, write ./\(word).")
  }

  /// Reads an argument, or another text that the program was started with. Where it is not UTF-8, that
  /// is a mistake: with another character in its place it would name another folder.
  static func text(
    _ argument: UnsafePointer<CChar>, _ name: String
  ) throws(UsageError) -> String {
    if let text = String(validatingCString: argument) { return text }
    let shown = String(cString: argument)
    throw UsageError(message: "\(name) is not UTF-8: \"\(shown)\". Rename it, or use a link to it.")
  }

  let command: Command
  /// Nil for the one in the user's home.
  private(set) var folder: String?
  private(set) var isJSON = false

  /// Whoever mistypes a command does not want a folder of that name.
  init(
    _ arguments: [String], isFolder: (String) -> Bool = { Folder($0).exists }
  ) throws(UsageError) {
    var words: [String] = []
    var script: String?
    var isHeadless = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": isJSON = true
      case "--headless": isHeadless = true
      case "--script" where !rest.isEmpty: script = rest.removeFirst()
      case "--folder", "-f":
        guard folder == nil, !rest.isEmpty else {
          throw UsageError(message: "\(argument) FOLDER is written once, and with a FOLDER.")
        }
        folder = rest.removeFirst()
      case "--help", "-h", "--version": (words, rest) = ([argument], [])
      case "--": (words, rest) = (words + rest, [])
      case let option where option.hasPrefix("-"):
        throw UsageError(message: "There is no option \(option), or its value is missing.")
      default: words.append(argument)
      }
    }
    switch (words.first, words.count) {
    case ("--help", _), ("-h", _): command = .help
    case ("--version", _): command = .version
    case ("list", 1): command = .list
    case ("show", 2): command = .show(words[1])
    case ("new", 2): command = .new(words[1], text: nil)
    case ("new", 3): command = .new(words[1], text: words[2])
    case ("search", 2...): command = .search(words[1...].joined(separator: " "))
    case (_, 0...1) where !Self.commands.contains(words.first ?? "") && !isJSON:
      command = .app(script: script)
      guard let word = words.first else { break }
      if folder != nil { throw UsageError(message: "The folder is named twice.") }
      if !word.contains("/") && !isFolder(word) { throw Self.unknown(word) }
      folder = word
    case (let word?, _) where !Self.commands.contains(word) && !isFolder(word):
      throw Self.unknown(word)
    default: throw UsageError(message: "These arguments do not go together.")
    }
    var isApp = false
    if case .app = command { isApp = true }
    if isHeadless != (script != nil) || (isHeadless && !isApp) {
      throw UsageError(message: "--headless and --script FILE go together, and with no command.")
    }
  }
}
