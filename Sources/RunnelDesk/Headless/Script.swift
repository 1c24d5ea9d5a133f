/// What a person does with an application, and what is to be seen then, line by line.
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
/// Words are set off by spaces; `"…"` is one word, in which `\n`, `\t`, `\"` and `\\` are what they are
/// in Swift. What follows `#` is not read. These are the steps:
///
/// | step | what it does |
/// |---|---|
/// | `type TEXT`, `paste TEXT`, `key KEY …` | what it says; keys are called as ``KeyPress`` calls them |
/// | `click PLACE`, `doubleclick PLACE`, `tripleclick PLACE` | with the left button; a place is `COLUMN,ROW` or a text that is on the screen |
/// | `drag PLACE PLACE`, `wheel up PLACE`, `wheel down PLACE` | with the mouse |
/// | `resize WIDTHxHEIGHT`, `focus in`, `focus out` | the screen gets another size, or what is typed goes to it or elsewhere |
/// | `write FILE TEXT`, `remove FILE`, `move FILE FILE` | somebody else does something to a file |
/// | `write FILE TEXT 2026-01-31` | somebody else puts a file there that is as old as that |
/// | `advance 1.5s`, `advance 200ms` | so much time passes |
/// | `settle` | waits until there is nothing left to do |
/// | `expect TEXT`, `refuse TEXT` | waits until the text is on the screen, or is not |
/// | `expect-cursor COLUMN,ROW`, `expect-clipboard TEXT` | waits until it is so |
/// | `expect-file FILE TEXT`, `expect-no-file FILE` | waits until the file has the text, or is not there |
/// | `expect-screen`, then lines that begin with `\|` | waits until the screen shows these lines, and no other ones |
/// | `expect-end` | waits until the application has ended |
/// | `screen`, `styles` | prints what is on the screen; and how it looks |
/// | `picture FILE` | makes a picture of the screen, in SVG |
public struct Script: Sendable {
  /// What is to be done, in order.
  public let steps: [Line]

  /// A step, and where it stands.
  public struct Line: Hashable, Sendable {
    /// The number of the line, from 1 on.
    public let number: Int
    /// The step.
    public let step: ScriptStep
  }

  /// Reads a script.
  public init(_ text: String) throws(ScriptError) {
    var steps: [Line] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let number = index + 1
      if line.first == "|" {
        guard case .expectScreen(let lines) = steps.last?.step else {
          throw ScriptError(line: number, "A line of a screen stands below expect-screen.")
        }
        // An editor may take away spaces at the end, and a screen has none there.
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
      default: throw ScriptError(line: number, "In quotes there are \\n, \\t, \\\" and \\\\ only.")
      }
    }
    throw ScriptError(line: number, "The closing quote is missing.")
  }
}

/// What is wrong with a script, or what went otherwise than it says.
public struct ScriptError: Error, Hashable, CustomStringConvertible {
  /// The number of the line, from 1 on.
  public let line: Int
  /// What is wrong.
  public let message: String

  /// An error in a line.
  public init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// The number of the line, and what is wrong.
  public var description: String { "line \(line): \(message)" }
}

extension Substring {
  fileprivate var trimmingSpacesAtEnd: Substring {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
