/// The rules of MQTT for texts, topics and filters (MQTT 5, sections 1.5.4 and 4.7).
///
/// They look at bytes. A `Character` can hide a separator: a slash with a combining mark is one
/// character that is not equal to a slash, and still separates levels.
enum TopicRules {
  /// The largest number of bytes of a text.
  static let longestText = 65_535

  private static let slash = UInt8(ascii: "/")
  private static let plus = UInt8(ascii: "+")
  private static let hash = UInt8(ascii: "#")

  /// Returns the reason why a packet cannot carry a text; nil if it can.
  static func problem(ofText text: String) -> String? {
    if text.utf8.count > longestText { return "it has more than 65,535 bytes" }
    if text.utf8.contains(0) { return "it contains a character with the code zero" }
    return nil
  }

  /// Returns the reason why a text is no topic; nil if it is one.
  static func problem(ofTopic topic: String) -> String? {
    if topic.utf8.isEmpty { return "it is empty" }
    if let problem = problem(ofText: topic) { return problem }
    return topic.utf8.contains { $0 == plus || $0 == hash } ? "it contains + or #" : nil
  }

  /// Returns the reason why a text is no filter; nil if it is one.
  static func problem(ofFilter filter: String) -> String? {
    if filter.utf8.isEmpty { return "it is empty" }
    if let problem = problem(ofText: filter) { return problem }
    var levels = filter.utf8.split(separator: slash, omittingEmptySubsequences: false)
    if isShared(filter) {
      guard levels.count >= 3, !levels[1].isEmpty, levels.count > 3 || !levels[2].isEmpty else {
        return "a shared filter is $share/NAME/FILTER"
      }
      if levels[1].contains(where: { $0 == plus || $0 == hash }) {
        return "the name of a shared filter contains + or #"
      }
      levels.removeFirst(2)
    }
    for (index, level) in levels.enumerated() where level.count > 1 || level.first == hash {
      if level.contains(plus) { return "+ is not a whole level" }
      guard level.contains(hash) else { continue }
      if level.count > 1 || index < levels.count - 1 { return "# is not the whole last level" }
    }
    return nil
  }

  /// True if a filter divides its messages among several clients.
  static func isShared(_ filter: String) -> Bool { filter.utf8.starts(with: "$share/".utf8) }

  /// True if messages on a topic pass a filter. Both are valid.
  static func matches(_ topic: String, _ filter: String) -> Bool {
    let isShared = isShared(filter)
    var filter = filter.utf8[...]
    if isShared {
      let name = filter.dropFirst("$share/".utf8.count)
      filter = (name.firstIndex(of: slash).map { name[$0...] } ?? name).dropFirst()
    }
    // A wildcard at the beginning does not reach the topics of the broker.
    if topic.utf8.first == UInt8(ascii: "$"), filter.first == plus || filter.first == hash {
      return false
    }
    var topic: Substring.UTF8View? = Substring(topic).utf8
    while true {
      let end = filter.firstIndex(of: slash)
      let wanted = filter[..<(end ?? filter.endIndex)]
      if wanted.count == 1 && wanted.first == hash { return true }
      guard let rest = topic else { return false }
      let topicEnd = rest.firstIndex(of: slash)
      let level = rest[..<(topicEnd ?? rest.endIndex)]
      let isAny = wanted.count == 1 && wanted.first == plus
      guard isAny || wanted.elementsEqual(level) else { return false }
      topic = topicEnd.map { rest[rest.index(after: $0)...] }
      guard let end else { return topic == nil }
      filter = filter[filter.index(after: end)...]
    }
  }
}
