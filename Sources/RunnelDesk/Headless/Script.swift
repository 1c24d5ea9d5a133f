/// A sequence of user actions and expectations, one per line.
///
///     let script = try Script(
///       """
///       # a note is found
///       type "milk"
///       key enter
///       expect "Shopping"
///       """)
///     print(script.steps.count)  // 3
///
/// Words are separated by spaces. `"…"` is one word, in which `\n`, `\t`, `\"` and `\\` have the
/// same meaning as in Swift. `#` begins a comment. The steps are:
///
/// | step | effect |
/// |---|---|
/// | `type TEXT`, `paste TEXT`, `key KEY …` | types, pastes or presses keys, which are named as in ``KeyPress`` |
/// | `click PLACE`, `doubleclick PLACE`, `tripleclick PLACE` | clicks with the left button; a place is `COLUMN,ROW` or a text on the screen |
/// | `drag PLACE PLACE`, `wheel up PLACE`, `wheel down PLACE` | drags with the mouse or turns its wheel |
/// | `resize WIDTHxHEIGHT`, `focus in`, `focus out` | resizes the screen, or gives it or takes from it the keyboard focus |
/// | `write FILE TEXT`, `remove FILE`, `move FILE FILE` | changes a file, as another program would |
/// | `write FILE TEXT 2026-01-31` | writes a file with that modification date |
/// | `advance 1.5s`, `advance 200ms` | lets time pass |
/// | `settle` | waits until the application is idle |
/// | `expect TEXT`, `refuse TEXT` | waits until the text is, or is not, on the screen |
/// | `expect-cursor COLUMN,ROW`, `expect-clipboard TEXT` | waits for a cursor position or clipboard text |
/// | `expect-file FILE TEXT`, `expect-no-file FILE` | waits until the file has the text, or does not exist |
/// | `expect-screen`, then lines that begin with `\|` | waits until the screen shows exactly these lines |
/// | `expect-end` | waits until the application has ended |
/// | `screen`, `styles` | prints the text on the screen; with its styles |
/// | `picture FILE` | writes an SVG image of the screen |
public struct Script: Sendable {
  /// The steps in order.
  public let steps: [Line]

  /// A step and its line number.
  public struct Line: Hashable, Sendable {
    /// The line number, from 1.
    public let number: Int
    /// The step.
    public let step: ScriptStep
  }

  /// Parses a script.
  public init(_ text: String) throws(ScriptError) {
    var steps: [Line] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let number = index + 1
      if line.first == "|" {
        guard case .expectScreen(let lines) = steps.last?.step else {
          throw ScriptError(line: number, "Lines that begin with \"|\" must follow expect-screen.")
        }
        // Editors may strip trailing spaces, and lines of a screen have none.
        let shown = String(line.dropFirst().trimmingSpacesAtEnd)
        steps.append(Line(number: steps.removeLast().number, step: .expectScreen(lines + [shown])))
      } else {
        let words = try Self.words(of: line, number: number)
        if words.isEmpty { continue }
        let step: ScriptStep
        do { step = try ScriptStep(words) } catch { throw ScriptError(line: number, error.message) }
        steps.append(Line(number: number, step: step))
      }
    }
    self.steps = steps
  }

  private static func words(of line: Substring, number: Int) throws(ScriptError) -> [String] {
    var words: [String] = []
    var rest = line[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "#" {
        break
      } else if first == "\"" {
        rest.removeFirst()
        words.append(try quoted(&rest, number: number))
      } else {
        let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
        words.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return words
  }

  private static func quoted(_ rest: inout Substring, number: Int) throws(ScriptError) -> String {
    var word = ""
    while let character = rest.popFirst() {
      if character == "\"" { return word }
      guard character == "\\" else {
        word.append(character)
        continue
      }
      switch rest.popFirst() {
      case "n": word.append("\n")
      case "t": word.append("\t")
      case "\"": word.append("\"")
      case "\\": word.append("\\")
      default: throw ScriptError(line: number, "The only escapes are \\n, \\t, \\\" and \\\\.")
      }
    }
    throw ScriptError(line: number, "The closing quote is missing.")
  }
}

/// A syntax error in a script, or an expectation that was not met.
public struct ScriptError: Error, Hashable, CustomStringConvertible {
  /// The line number, from 1.
  public let line: Int
  /// A description of the error.
  public let message: String

  /// Creates an error for a line.
  public init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// The line number and the message.
  public var description: String { "line \(line): \(message)" }
}

extension ScriptError: CustomDebugStringConvertible {
  /// The text that an uncaught error prints: "The script failed in line 2: …".
  public var debugDescription: String { "The script failed in \(self)" }
}

extension Substring {
  fileprivate var trimmingSpacesAtEnd: Substring {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
