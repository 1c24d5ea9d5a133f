/// A mistake in the text of a ``Theme``, or a file that cannot be read or written.
public struct ThemeError: Error, Hashable, CustomStringConvertible {
  /// The line number, from 1; nil if the file cannot be read or written.
  public let line: Int?
  /// A description of the error.
  public let message: String

  /// The line number and the message.
  public var description: String { line.map { "line \($0): \(message)" } ?? message }
}

// Themes as text: one style a line, such as "selection = bold white on blue".
extension Theme {
  /// Creates a theme from a text with one style a line.
  ///
  ///     application.theme = try Theme(
  ///       parsing: """
  ///         # A line that begins with # is a comment.
  ///         selection = bold brightWhite on #204080
  ///         header = underline
  ///         """, base: .dark)
  ///
  /// A style consists of effects, a colour, and "on" with a background colour, all optional, or is
  /// "plain". A colour is a name such as "brightBlue" or "standard", "palette" with a number to 255,
  /// or "#" with six hexadecimal digits. Styles that the text does not name are those of `base`.
  public init(parsing text: String, base: Theme = .standard) throws(ThemeError) {
    self = base
    var seen: Set<String> = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in zip(1..., lines) {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(first.prefix { $0 != "=" })
      guard parts.count == 2, parts[0].split(whereSeparator: \.isWhitespace).count == 1 else {
        throw ThemeError(line: number, message: "Write it as \"selection = white on blue\".")
      }
      guard let path = Self.styles.first(where: { $0.name == name })?.path else {
        let names = Self.styles.map(\.name).joined(separator: ", ")
        throw ThemeError(
          line: number, message: "There is no style \"\(name)\". The styles are: \(names).")
      }
      guard seen.insert(name).inserted else {
        throw ThemeError(line: number, message: "\"\(name)\" is set twice. Remove one line.")
      }
      do throws(TextStyle.Misspelling) {
        self[keyPath: path] = try TextStyle(parsing: parts[1])
      } catch {
        throw ThemeError(line: number, message: error.message)
      }
    }
  }

  /// Creates a theme from a file. See ``init(parsing:base:)`` for its format.
  public init(contentsOf path: String, base: Theme = .standard) throws(ThemeError) {
    let text: String
    do throws(TextFile.Failure) {
      text = try TextFile(path: path).read()
    } catch {
      throw ThemeError(line: nil, message: "\(path) cannot be read: \(error.message).")
    }
    try self.init(parsing: text, base: base)
  }

  /// Writes all styles to a file, which ``init(contentsOf:base:)`` can read.
  public func write(to path: String) throws(ThemeError) {
    do throws(TextFile.Failure) {
      try TextFile(path: path).write(Array(description.utf8))
    } catch {
      throw ThemeError(line: nil, message: "\(path) cannot be written: \(error.message).")
    }
  }

  private static let styles: [(name: String, path: WritableKeyPath<Theme, TextStyle> & Sendable)] =
    [
      ("text", \.text), ("faint", \.faint), ("disabled", \.disabled), ("selection", \.selection),
      ("inactiveSelection", \.inactiveSelection), ("highlight", \.highlight),
      ("header", \.header), ("field", \.field), ("invalid", \.invalid), ("button", \.button),
      ("destructive", \.destructive), ("menu", \.menu), ("status", \.status),
      ("progress", \.progress), ("border", \.border), ("floating", \.floating),
    ]
}

extension Theme: CustomStringConvertible {
  /// The styles as text, one a line, which ``init(parsing:base:)`` can read.
  public var description: String {
    Self.styles.map { "\($0.name) = \(self[keyPath: $0.path])\n" }.joined()
  }
}

extension TextStyle {
  struct Misspelling: Error {
    let message: String
  }

  /// Parses the ``description`` of a style.
  init(parsing text: Substring) throws(Misspelling) {
    self.init()
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    if words.isEmpty {
      throw Misspelling(message: "The style is missing. Write \"plain\" for none.")
    }
    if words == ["plain"] { return }
    while let effect = Self.names.first(where: { $0.1 == words.first })?.0 {
      effects.insert(effect)
      words.removeFirst()
    }
    if let word = words.first, word != "on" { foreground = try Self.color(&words, word) }
    guard words.popFirst() != nil else { return }
    guard let word = words.first else {
      throw Misspelling(message: "The colour after \"on\" is missing.")
    }
    background = try Self.color(&words, word)
    if let word = words.first { throw Misspelling(message: "\"\(word)\" is one word too many.") }
  }

  /// Parses a colour, which consists of one or two words.
  private static func color(
    _ words: inout ArraySlice<String>, _ word: String
  ) throws(Misspelling) -> Color {
    let count = word == "palette" ? 2 : 1
    let text = words.prefix(count).joined(separator: " ")
    words = words.dropFirst(count)
    if let color = Color(text) {
      guard words.isEmpty || words.first == "on" else {
        throw Misspelling(
          message: "\"\(words.first ?? "")\" is not expected after \"\(text)\". "
            + "Write effects first, and \"on\" before the background.")
      }
      return color
    }
    let effects = names.map(\.1).joined(separator: ", ")
    throw Misspelling(
      message: "\"\(text)\" is no colour or effect. Write a name such as red or brightBlue, "
        + "\"palette 200\" or \"#ff8000\". The effects are: \(effects).")
  }
}
