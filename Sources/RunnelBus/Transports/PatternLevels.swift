/// The levels of a pattern, for a transport that compares topics itself. Names need not be valid topics.
package struct PatternLevels {
  package let names: [Substring]

  /// Creates the levels of a pattern with the wildcards `*` and `#`.
  package init(_ pattern: String) {
    names = pattern.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Returns true if a topic matches.
  package func matches(_ topic: String) -> Bool {
    let levels = topic.split(separator: ".", omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      if name == TopicLevels.rest { return true }
      guard index < levels.count, name == TopicLevels.any || name == levels[index] else {
        return false
      }
    }
    return names.count == levels.count
  }
}
