/// The levels of a topic or topic pattern.
///
/// The pattern `sensors.*.temperature` has three levels, and its `*` matches any one level. The
/// pattern `sensors.#` matches `sensors` and every topic that begins with `sensors.`.
struct TopicLevels {
  static let any: Substring = "*"
  static let rest: Substring = "#"
  /// The limit of levels. The search for observers uses a stack frame for each level.
  static let most = 128

  let names: [Substring]

  /// Parses a topic for publishing.
  init(topic: String) throws(TopicError) {
    try self.init(topic) { name, offset throws(TopicError) in
      if let wildcard = Self.wildcard(in: name) {
        throw .wildcardInTopic(offset: offset + wildcard)
      }
    }
  }

  /// Parses a pattern for observing.
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
    names = text.split(separator: ".", maxSplits: Self.most, omittingEmptySubsequences: false)
    if names.count > Self.most { throw .tooManyLevels }
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
