import Runnel

/// The contents of the configuration file.
///
///     # Tokens that may write. Without one, everybody may.
///     token = 5f2b8e0c
///     token = 91d07aa4
///     post-size = 16384
struct Configuration: Equatable {
  var tokens: [String] = []
  /// The names of this server, in lower case. Localhost and addresses need none.
  var hosts: [String] = []
  var limits = Board.Limits()
  /// The largest number of HTTP connections.
  var connections = 20_000

  struct Fault: Error, Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let reason: String
    var description: String { "\(file):\(line): \(reason)" }
  }

  /// The default configuration.
  init() {}

  /// Reads a file.
  init(at path: String) throws {
    let contents = try SafeFile(path).contents(upTo: 1 << 20)
    guard let text = String(validating: contents.bytes, as: UTF8.self) else {
      throw Fault(file: path, line: 1, reason: "The file is not UTF-8.")
    }
    try self.init(text, of: path)
  }

  init(_ text: String, of file: String) throws(Fault) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if let reason = read(line) { throw Fault(file: file, line: index + 1, reason: reason) }
    }
  }

  /// Reads one setting. Returns the reason if that is not possible.
  private mutating func read(_ line: Substring) -> String? {
    guard let sign = line.firstIndex(of: "=") else { return "Write a setting as \"name = value\"." }
    let name = Self.trimmed(line[..<sign])
    let value = Self.trimmed(line[line.index(after: sign)...])
    switch name {
    case "token":
      let isToken = value.utf8.allSatisfy { (0x21...0x7E).contains($0) } && value.utf8.count >= 8
      guard isToken else { return "A token has 8 or more letters, digits or signs." }
      tokens.append(String(value))
    case "host": hosts.append(value.lowercased())
    case "post-size": return read(value, 1...Post.longestText, into: \.limits.postSize)
    case "topics": return read(value, 1...1_000_000, into: \.limits.topicCount)
    case "connections": return read(value, 1...1_000_000, into: \.connections)
    default:
      return
        "There is no setting \"\(name)\". The settings are token, host, post-size, topics and connections."
    }
    return nil
  }

  private mutating func read(
    _ value: Substring, _ range: ClosedRange<Int>, into setting: WritableKeyPath<Self, Int>
  ) -> String? {
    guard let number = Int(value), range.contains(number) else {
      return "\"\(value)\" is not a number from \(range.lowerBound) to \(range.upperBound)."
    }
    self[keyPath: setting] = number
    return nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
