import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

@Suite struct TopicRulesTests {
  /// A slash with a combining mark is one character, and still a separator.
  private static let marked = "a/\u{301}b"

  @Test(arguments: ["a", "/", "a/b", "a//b", "/a/", " ", "$SYS/x", "größe/日本", marked])
  func acceptsTopics(_ topic: String) {
    #expect(TopicRules.problem(ofTopic: topic) == nil)
  }

  @Test(arguments: ["", "+", "a/#", "a#", "a+b", "a\u{0}", "#\u{301}", "+\u{301}"])
  func refusesTopics(_ topic: String) {
    #expect(TopicRules.problem(ofTopic: topic) != nil)
  }

  @Test(arguments: [
    "#", "+", "a", "a/#", "+/#", "a/+/b", "/+", "+/", "$share/g/a", "$share/g//", "$share/g/#",
    "$SYS/#", "/\u{301}/+", "$share",
  ])
  func acceptsFilters(_ filter: String) {
    #expect(TopicRules.problem(ofFilter: filter) == nil)
  }

  @Test(arguments: [
    "", "a#", "#/a", "a/#/b", "a+", "+a", "a/b+/c", "##", "++", "#\u{301}", "+\u{301}",
    "a/\u{301}#", "$share/", "$share/g", "$share/g/", "$share//a", "$share/+/a", "$share/g#/a",
    "a\u{0}/#",
  ])
  func refusesFilters(_ filter: String) {
    #expect(TopicRules.problem(ofFilter: filter) != nil)
  }

  @Test func lengthIsCountedInBytes() {
    let longest = String(repeating: "é", count: 32_767) + "a"
    #expect(TopicRules.problem(ofTopic: longest) == nil)
    #expect(TopicRules.problem(ofTopic: longest + "a") != nil)
    #expect(TopicRules.problem(ofFilter: longest + "a") != nil)
  }

  @Test(arguments: [
    ("a/b", "a/b", true), ("a/b", "a/+", true), ("a/b", "#", true), ("a", "a/#", true),
    ("a", "a/+", false), ("a/", "a/+", true), ("/a", "+/+", true), ("/a", "/+", true),
    ("/a", "+", false), ("a/b/c", "a/+", false), ("a/b/c", "a/+/#", true),
    ("$SYS/x", "#", false), ("$SYS/x", "+/x", false), ("$SYS/x", "$SYS/#", true),
    ("a", "$share/g/a", true), ("a/b", "$share/g/+/b", true), ("b", "$share/g/a", false),
    ("$SYS/x", "$share/g/#", false), ("/a", "$share/g//a", true),
    ("\u{E9}", "e\u{301}", false), (marked, "a/+", true), (marked, "+/\u{301}b", true),
  ])
  func matches(_ topic: String, _ filter: String, _ expected: Bool) {
    #expect(TopicRules.matches(topic, filter) == expected)
  }

  @Test("Random topics match as the definition says", arguments: seeds(200))
  func matchesAsDefined(_ seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let levels = ["", "a", "b", "\u{301}", "é"]
    for _ in 0..<50 {
      let topic = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        levels.randomElement(using: &random) ?? ""
      }
      var filter = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (levels + ["+", "+"]).randomElement(using: &random) ?? ""
      }
      if Bool.random(using: &random) { filter.append("#") }
      let (topicText, filterText) = (topic.joined(separator: "/"), filter.joined(separator: "/"))
      if topicText.utf8.isEmpty || filterText.utf8.isEmpty { continue }
      #expect(
        TopicRules.matches(topicText, filterText) == Self.isMatch(topic[...], filter[...]),
        "\(topicText) \(filterText)")
    }
  }

  private static func isMatch(_ topic: ArraySlice<String>, _ filter: ArraySlice<String>) -> Bool {
    guard let wanted = filter.first else { return topic.isEmpty }
    if wanted == "#" { return true }
    guard let level = topic.first else { return false }
    return (wanted == "+" || wanted.utf8.elementsEqual(level.utf8))
      && isMatch(topic.dropFirst(), filter.dropFirst())
  }

  @Test func exactTextComparesBytes() {
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    #expect(one == other)
    #expect(ExactText(one) != ExactText(other))
    #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
  }
}
