/// A step of a ``Script``.
public enum ScriptStep: Hashable, Sendable {
  /// Delivers input events.
  case send([InputEvent])
  /// Clicks a place `count` times.
  case click(Place, count: Int)
  /// Presses the mouse button at one place and releases it at another.
  case drag(Place, Place)
  /// Turns the wheel at a place.
  case wheel(MouseEvent.Direction, Place)
  /// Writes text to a file, with an optional modification time in seconds since 1970.
  case write(String, String, time: Int?)
  /// Removes a file.
  case remove(String)
  /// Renames a file.
  case move(String, String)
  /// Lets time pass.
  case advance(Duration)
  /// Waits until the application is idle.
  case settle
  /// Waits until a text is on the screen.
  case expect(String)
  /// Waits until a text is not on the screen.
  case refuse(String)
  /// Waits until the cursor is at a position.
  case expectCursor(Point)
  /// Waits until the clipboard has this text.
  case expectClipboard(String)
  /// Waits until a file has this text; nil if the file must not exist.
  case expectFile(String, String?)
  /// Waits until the screen shows these lines.
  case expectScreen([String])
  /// Waits until the application has ended.
  case expectEnd
  /// Prints the screen, optionally with its styles.
  case print(withStyles: Bool)
  /// Writes an image of the screen to a file.
  case picture(String)

  /// A place on the screen.
  public enum Place: Hashable, Sendable {
    /// A cell.
    case cell(Point)
    /// The first occurrence of a text.
    case text(String)
  }
}

extension ScriptStep {
  struct Misspelling: Error {
    let message: String
  }

  /// Parses a step from its words, of which there is at least one.
  init(_ words: [String]) throws(Misspelling) {
    let name = words[0]
    let rest = Array(words.dropFirst())
    switch (name, rest.count) {
    case ("type", 1): self = .send(rest[0].map { .key(KeyPress(typing: $0)) })
    case ("paste", 1): self = .send([.paste(rest[0])])
    case ("key", 1...):
      var presses: [InputEvent] = []
      for name in rest { presses.append(.key(try Self.press(name))) }
      self = .send(presses)
    case ("click", 1): self = .click(Self.place(rest[0]), count: 1)
    case ("doubleclick", 1): self = .click(Self.place(rest[0]), count: 2)
    case ("tripleclick", 1): self = .click(Self.place(rest[0]), count: 3)
    case ("drag", 2): self = .drag(Self.place(rest[0]), Self.place(rest[1]))
    case ("wheel", 2) where rest[0] == "up": self = .wheel(.up, Self.place(rest[1]))
    case ("wheel", 2) where rest[0] == "down": self = .wheel(.down, Self.place(rest[1]))
    case ("resize", 1): self = .send([.resize(try Self.size(rest[0]))])
    case ("focus", 1) where ["in", "out"].contains(rest[0]): self = .send([.focus(rest[0] == "in")])
    case ("write", 2): self = .write(rest[0], rest[1], time: nil)
    case ("write", 3): self = .write(rest[0], rest[1], time: try Self.time(rest[2]))
    case ("remove", 1): self = .remove(rest[0])
    case ("move", 2): self = .move(rest[0], rest[1])
    case ("advance", 1): self = .advance(try Self.duration(rest[0]))
    case ("settle", 0): self = .settle
    case ("expect", 1): self = .expect(rest[0])
    case ("refuse", 1): self = .refuse(rest[0])
    case ("expect-cursor", 1):
      guard let point = Self.point(rest[0]) else {
        throw Misspelling(message: "expect-cursor takes COLUMN,ROW.")
      }
      self = .expectCursor(point)
    case ("expect-clipboard", 1): self = .expectClipboard(rest[0])
    case ("expect-file", 2): self = .expectFile(rest[0], rest[1])
    case ("expect-no-file", 1): self = .expectFile(rest[0], nil)
    case ("expect-screen", 0): self = .expectScreen([])
    case ("expect-end", 0): self = .expectEnd
    case ("screen", 0): self = .print(withStyles: false)
    case ("styles", 0): self = .print(withStyles: true)
    case ("picture", 1): self = .picture(rest[0])
    default: throw Misspelling(message: Self.help(for: name))
    }
  }

  /// The steps and the words that they take.
  private static let forms = [
    "type TEXT", "paste TEXT", "key KEY …", "click PLACE", "doubleclick PLACE", "tripleclick PLACE",
    "drag PLACE PLACE", "wheel up PLACE", "wheel down PLACE", "resize WIDTHxHEIGHT", "focus in",
    "focus out", "write FILE TEXT", "write FILE TEXT DATE", "remove FILE", "move FILE FILE",
    "advance TIME", "settle", "expect TEXT", "refuse TEXT", "expect-cursor COLUMN,ROW",
    "expect-clipboard TEXT", "expect-file FILE TEXT", "expect-no-file FILE", "expect-screen",
    "expect-end", "screen", "styles", "picture FILE",
  ]

  /// Returns an error message for a step that does not exist or has other words: the right forms of
  /// the step, or else the names of all steps.
  private static func help(for name: String) -> String {
    let own = forms.filter { $0.split(separator: " ").first.map(String.init) == name }
    if !own.isEmpty {
      return "Write the step \"\(name)\" as: \(own.joined(separator: "; ")). "
        + "A text with spaces needs quotes."
    }
    var names = forms.compactMap { $0.split(separator: " ").first.map(String.init) }
    names = zip(names, [""] + names).filter { $0 != $1 }.map(\.0)
    return "There is no step \"\(name)\". The steps are: \(names.joined(separator: ", "))."
  }

  private static func press(_ name: String) throws(Misspelling) -> KeyPress {
    if let press = KeyPress(name) { return press }
    throw Misspelling(message: "No key is named \"\(name)\". Write it as ctrl+s or pagedown.")
  }

  private static func place(_ word: String) -> Place {
    point(word).map { .cell($0) } ?? .text(word)
  }

  private static func point(_ word: String) -> Point? {
    numbers(word, separator: ",").map { Point(x: $0, y: $1) }
  }

  private static func size(_ word: String) throws(Misspelling) -> Size {
    guard let (width, height) = numbers(word, separator: "x") else {
      throw Misspelling(message: "A size has the form WIDTHxHEIGHT, such as 80x24.")
    }
    return Size(width: width, height: height)
  }

  private static func numbers(_ word: String, separator: Character) -> (Int, Int)? {
    let parts = word.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let second = Int(parts[1]),
      (0...10_000).contains(first), (0...10_000).contains(second)
    else { return nil }
    return (first, second)
  }

  /// Returns the beginning of a day in UTC, in seconds since 1970.
  private static func time(_ word: String) throws(Misspelling) -> Int {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { throw Misspelling(message: "A date has the form YEAR-MONTH-DAY, such as 2026-01-31.") }
    // Months are counted from March, so that the leap day is the last day of the year.
    let (march, since) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let leapDays = march / 4 - march / 100 + march / 400
    return (march * 365 + leapDays + (since * 153 + 2) / 5 + day - 1 - 719_468) * 86_400
  }

  private static func duration(_ word: String) throws(Misspelling) -> Duration {
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("min", 60), ("h", 3600)]
    for (unit, seconds) in units where word.hasSuffix(unit) {
      if let number = Double(word.dropLast(unit.count)), (0...1e9).contains(number) {
        return .seconds(number * seconds)
      }
    }
    throw Misspelling(message: "A duration has the form 200ms, 1.5s, 2min or 1h.")
  }
}
