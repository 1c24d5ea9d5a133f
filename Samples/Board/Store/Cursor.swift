/// The posts of a topic that a client has: for each board, the number of its last one.
///
/// Clients see it as the identifier of an event. A board alone has a number such as `41`. Boards that are joined have
/// their names in it, so a client can go on at another board: `3f09ac51.41-b27d0e66.7`.
struct Cursor: Equatable {
  /// The name of a board that is not joined.
  static let alone = ""

  private var numbers: [String: Int]

  init(_ numbers: [String: Int] = [:]) {
    self.numbers = numbers
  }

  /// Reads the text of a cursor. A number without a name belongs to the board with the given name.
  init?(_ text: String, at board: String) {
    numbers = [:]
    for part in text.split(separator: "-", omittingEmptySubsequences: false) {
      let words = part.split(separator: ".", omittingEmptySubsequences: false)
      guard (1...2).contains(words.count), let number = Int(words[words.count - 1]), number >= 0
      else { return nil }
      let name = words.count == 1 ? board : String(words[0])
      if number > 0 { numbers[name] = max(numbers[name] ?? 0, number) }
    }
  }

  subscript(board: String) -> Int { numbers[board] ?? 0 }

  /// Adds a post. Returns false if the client has it.
  mutating func add(_ origin: Origin) -> Bool {
    guard origin.id > self[origin.board] else { return false }
    numbers[origin.board] = origin.id
    return true
  }
}

extension Cursor: CustomStringConvertible {
  var description: String {
    if numbers.isEmpty { return "0" }
    return numbers.sorted { $0.key < $1.key }
      .map { $0.key == Self.alone ? "\($0.value)" : "\($0.key).\($0.value)" }
      .joined(separator: "-")
  }
}

/// The board that has published a post, and the number of the post there.
struct Origin: Hashable, Sendable {
  let board: String
  let id: Int
}
