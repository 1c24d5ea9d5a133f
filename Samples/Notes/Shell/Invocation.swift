import Runnel

/// The parsed command-line arguments.
struct Invocation: Equatable {
  enum Command: Equatable {
    /// The app: in the terminal, or headless with a script.
    case app(script: String?)
    case list
    case show(String)
    /// Creates a note; without a text, its contents are read from standard input.
    case new(String, text: String?)
    /// Moves a note to the trash.
    case remove(String)
    case move(String, to: String)
    /// Adds text, or the standard input, to the end of a note.
    case append(String, text: String?)
    /// Opens a note in the user's editor.
    case edit(String)
    /// Shows a note in the app, which may run already.
    case open(String)
    /// Searches all notes, or one of them.
    case search(String, note: String?)
    /// Writes the completions for a shell.
    case completions(CompletionShell)
    /// Answers the search of the desktop, until it has been idle for a minute.
    case searchProvider
    case manual
    case help
    case version
  }

  enum CompletionShell: String { case bash, zsh, fish }

  /// The place that shows the app. With `--plain`, the terminal shows lines for a screen reader.
  enum Display: String {
    case terminal = "", plain = "--plain", window = "--window", menuBar = "--menu-bar"
    case headless = "--headless"

    var isWindow: Bool { self == .window || self == .menuBar }
  }

  struct UsageError: Error, Equatable { let message: String }

  private static let commands = [
    "list", "show", "new", "edit", "append", "rm", "mv", "search", "open", "completions", "man",
    "search-provider",
  ]

  private static func unknown(_ word: String) -> UsageError {
    let closest = commands.min { $0.difference(from: word).count < $1.difference(from: word).count }
    let isTypo = closest.map { $0.difference(from: word).count <= 2 } ?? false
    let question = isTypo ? " Did you mean \(closest ?? "")?" : ""
    return UsageError(
      message: "There is no command and no folder called \"\(word)\".\(question)"
        + " For a new folder, write ./\(word).")
  }

  /// Decodes an argument or environment variable. Text that is not UTF-8 is an error: with
  /// replacement characters it would name another folder.
  static func text(
    _ argument: UnsafePointer<CChar>, _ name: String, isPath: Bool = true
  ) throws(UsageError) -> String {
    if let text = String(validatingCString: argument) { return text }
    let remedy = isPath ? "Rename it, or use a link to it." : "Write it in UTF-8."
    throw UsageError(message: "\(name) is not UTF-8: \"\(String(cString: argument))\". \(remedy)")
  }

  /// Returns true if the next argument names a folder or a file. Arguments of a command are titles,
  /// text or words.
  static func isPath(after arguments: [String]) -> Bool {
    ["--folder", "-f", "--script"].contains(arguments.last)
      || Set(arguments).isDisjoint(with: commands)
  }

  let command: Command
  /// The folder; nil for the default folder in the user's home.
  private(set) var folder: String?
  private(set) var isJSON = false
  /// True if a search writes the lines with hits.
  private(set) var showsLines = false
  private(set) var display = Display.terminal
  /// The title of the template of a new note, if any.
  private(set) var template: String?

  /// Parses arguments. A mistyped command must not become the name of a new folder.
  init(
    _ arguments: [String], isFolder: (String) -> Bool = { Folder($0).exists }
  ) throws(UsageError) {
    var words: [String] = []
    var (script, note) = (String?.none, String?.none)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": isJSON = true
      case "--lines", "-n": showsLines = true
      case "--in", "--template", "--script":
        let kind = argument == "--script" ? "FILE" : "TITLE"
        guard let value = rest.popFirst() else {
          throw UsageError(message: "\(argument) needs a \(kind).")
        }
        if argument == "--in" { note = value }
        if argument == "--template" { template = value }
        if argument == "--script" { script = value }
      case "--headless", "--plain", "--window", "--menu-bar":
        display = Display(rawValue: argument) ?? display
      case "--folder", "-f":
        guard folder == nil, !rest.isEmpty else {
          throw UsageError(message: "\(argument) takes one FOLDER and may be given only once.")
        }
        folder = rest.removeFirst()
      case "--help", "-h", "--version": (words, rest) = ([argument], [])
      case "--": (words, rest) = (words + rest, [])
      // Text may begin with a dash: "- milk".
      case let option where option.wholeMatch(of: #/--?\w\S*/#) != nil:
        throw UsageError(message: "There is no option \(option). Write -- before such text.")
      default: words.append(argument)
      }
    }
    switch (words.first, words.count) {
    case ("--help", _), ("-h", _): command = .help
    case ("--version", _): command = .version
    case ("list", 1): command = .list
    case ("show", 2): command = .show(words[1])
    case ("new", 2...3): command = .new(words[1], text: words.dropFirst(2).first)
    case ("rm", 2): command = .remove(words[1])
    case ("mv", 3): command = .move(words[1], to: words[2])
    case ("append", 2...3): command = .append(words[1], text: words.dropFirst(2).first)
    case ("edit", 2): command = .edit(words[1])
    case ("open", 2): command = .open(words[1])
    case ("search", 2...): command = .search(words[1...].joined(separator: " "), note: note)
    case ("man", 1): command = .manual
    case ("search-provider", 1): command = .searchProvider
    case ("completions", 2):
      guard let shell = CompletionShell(rawValue: words[1]) else {
        throw UsageError(message: "There are completions for bash, zsh and fish.")
      }
      command = .completions(shell)
    case (_, 0...1) where !Self.commands.contains(words.first ?? "") && !isJSON:
      command = .app(script: script)
      guard let word = words.first else { break }
      if folder != nil { throw UsageError(message: "The folder is given twice.") }
      if !word.contains("/") && !isFolder(word) { throw Self.unknown(word) }
      folder = word
    case (let word?, _) where !Self.commands.contains(word) && !isFolder(word):
      throw Self.unknown(word)
    case (let word?, 1) where ["show", "new", "edit", "open", "append", "rm"].contains(word):
      throw UsageError(message: "\(word) needs a title.")
    case ("mv", 1...2): throw UsageError(message: "mv needs a title and a new title.")
    case ("completions", 1): throw UsageError(message: "completions needs bash, zsh or fish.")
    case ("search", 1): throw UsageError(message: "search needs a word.")
    default: throw UsageError(message: "These arguments cannot be combined.")
    }
    let isApp =
      switch command {
      case .app: true
      case .open: script == nil
      default: false
      }
    if isJSON && !["list", "show", "new", "search"].contains(words.first) {
      throw UsageError(message: "Use --json with list, show, new and search.")
    }
    if (showsLines || note != nil) && words.first != "search" {
      throw UsageError(message: "Use --lines and --in with search.")
    }
    if template != nil && (words.first != "new" || words.count != 2) {
      throw UsageError(message: "Use --template with new, and without TEXT.")
    }
    let needsScript = display == .headless || !display.isWindow && script != nil
    if needsScript && (script == nil || display != .headless) || display != .terminal && !isApp {
      throw UsageError(message: "Use --headless with --script FILE, and no display with a command.")
    }
  }
}
