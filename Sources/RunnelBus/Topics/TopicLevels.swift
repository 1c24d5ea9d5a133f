/// The levels of a topic, or of a pattern of topics.
///
/// `sensors.*.temperature` is of three levels, of which `*` stands for any one; `sensors.#` stands
/// for `sensors` and all that begins with `sensors.`.
struct TopicLevels {
  static let any: Substring = "*"
  static let rest: Substring = "#"

  let names: [Substring]

  /// Reads a topic to publish on.
  init(topic: String) throws(TopicError) {
    try self.init(topic) { name, offset throws(TopicError) in
      if let wildcard = Self.wildcard(in: name) {
        throw .wildcardInTopic(offset: offset + wildcard)
      }
    }
  }

  /// Reads a pattern to observe.
  init(pattern: String) throws(TopicError) {
    var hash: Int?
    try self.init(pattern) { name, offset throws(TopicError) in
      if let hash { throw .levelsAfterHash(offset: hash) }
      if name == Self.rest { hash = offset }
      if name.count > 1, let wildcard = Self.wildcard(in: name) {
        throw .wildcardWithinLevel(offset: offset + wildcard)
      }
    }
  }

  private init(
    _ text: String, check: (Substring, _ offset: Int) throws(TopicError) -> Void
  ) throws(TopicError) {
    if text.isEmpty { throw .empty }
    names = text.split(separator: ".", omittingEmptySubsequences: false)
    var offset = 0
    for name in names {
      if name.isEmpty { throw .emptyLevel(offset: offset) }
      try check(name, offset)
      offset += name.count + 1
    }
  }

  private static func wildcard(in name: Substring) -> Int? {
    for (offset, character) in name.enumerated() where character == "*" || character == "#" {
      return offset
    }
    return nil
  }
}
