import Runnel

/// The arguments of the program.
struct Invocation: Equatable {
  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Board is a notice board.

    board [serve] [--port N] [--host ADDRESS] [--data FILE] [--config FILE] [--unix PATH]
                  [--join BROKER] [--log FORMAT] [--level LEVEL]
    board publish TOPIC TEXT [--url URL] [--token TOKEN]
    board watch TOPIC [--url URL] [--after NUMBER]

      --port N         the port of the web page and of HTTP (8080)
      --host ADDRESS   the address to listen at (127.0.0.1); * is all addresses
      --data FILE      the file of the posts (board.posts)
      --config FILE    the configuration, which is read again on SIGHUP
      --join BROKER    a broker such as mqtt://localhost, over which several boards show the same posts
      --log FORMAT     the lines on the standard error: text, json or journal (under systemd)
      --level LEVEL    the least level that is logged: debug, info, notice, warning, error or critical (info)
      --unix PATH      a Unix socket for lines such as "PUB kitchen Tea!"
      --url URL        the server (http://127.0.0.1:8080)
      --token TOKEN    the token for writing; by default the variable BOARD_TOKEN
      --after NUMBER   watch the posts after this number; by default new ones only

    The exit status is 0 after success, 1 after a failure, and 2 for wrong arguments.

    """

  /// The options and the words of each command.
  private static let commands = [
    "serve": (
      options: ["--port", "--host", "--data", "--config", "--unix", "--join", "--log", "--level"],
      words: [String]()
    ),
    "publish": (options: ["--url", "--token"], words: ["TOPIC", "TEXT"]),
    "watch": (options: ["--url", "--after"], words: ["TOPIC"]),
  ]

  /// `serve`, `publish`, `watch` or `help`.
  private(set) var command = "help"
  /// The topic and the text.
  private(set) var words: [String] = []
  private(set) var port: UInt16 = 8_080
  /// The number of the post to begin after.
  private(set) var after: Int?
  /// The format of the log; nil for the default.
  private(set) var logFormat: LogFormat?
  /// The least level that is logged; nil for the default.
  private(set) var logLevel: LogLevel?
  private var values: [String: String] = [:]

  /// The value of an option.
  subscript(option: String) -> String? { values["--" + option] }

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return }
      if argument == "--" {
        words += rest
        break
      }
      guard argument.hasPrefix("-"), argument.count > 1 else {
        words.append(argument)
        continue
      }
      guard Self.commands.values.contains(where: { $0.options.contains(argument) }) else {
        throw UsageError(description: "There is no option \(argument).")
      }
      guard let value = rest.popFirst() else {
        throw UsageError(description: "\(argument) needs a value.")
      }
      values[argument] = value
    }
    let name = words.isEmpty ? "serve" : words.removeFirst()
    guard let form = Self.commands[name] else {
      throw UsageError(description: "There is no command \"\(name)\".")
    }
    guard words.count == form.words.count else {
      let needs = form.words.isEmpty ? "no arguments" : form.words.joined(separator: " and ")
      throw UsageError(description: "\(name) takes \(needs).")
    }
    if let option = values.keys.sorted().first(where: { !form.options.contains($0) }) {
      throw UsageError(description: "\(name) has no option \(option).")
    }
    port = UInt16(try number("--port", 0...65_535) ?? 8_080)
    after = try number("--after", 0...Int.max)
    logFormat = try choice("--log") { LogFormat(rawValue: $0) }
    logLevel = try choice("--level") { LogLevel($0) }
    command = name
  }

  private func choice<Value>(
    _ option: String, _ make: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = values[option] else { return nil }
    guard let value = make(text) else {
      throw UsageError(description: "\(option) has no value \(text).")
    }
    return value
  }

  private func number(_ option: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let value = values[option] else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw UsageError(
        description: "\(option) \(value) is not a number from 0 to \(range.upperBound).")
    }
    return number
  }
}
