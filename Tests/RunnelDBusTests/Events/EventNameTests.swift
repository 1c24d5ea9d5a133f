import Testing

@testable import RunnelDBus

@Suite struct EventNameTests {
  @Test(arguments: ["notes 4711", "1", "a_b.c-d", "größe", "_", "日本", "-", "A\u{1}z"])
  func namesOfProgramsReturn(_ program: String) throws {
    let name = try #require(EventNames.peer(program))
    #expect(NameRules.isService(name))
    #expect(EventNames.program(ofPeer: name) == program)
  }

  @Test(arguments: [
    "org.runnel.EventBus.Peers._4", "org.runnel.EventBus.Peers._zz", "org.runnel.EventBus.Peers",
    "org.runnel.EventBus.Peers._ff",
  ])
  func otherNamesAreNoPrograms(_ name: String) {
    #expect(EventNames.program(ofPeer: name) == nil)
  }

  @Test func differentTopicsHaveDifferentNames() throws {
    let topics = ["a.b", "a_2eb", "a-b", "A.b", "a.1", "a._31", "ä.b", "a.b_"]
    let names = try topics.map { try #require(EventNames.answerer(on: $0)) }
    #expect(Set(names).count == topics.count)
    #expect(names.allSatisfy(NameRules.isService))
  }

  /// The bus compares as much as D-Bus can express.
  @Test(arguments: [
    ("a.b-c", "arg0='a.b-c'"), ("a.b.#", "arg0namespace='a.b'"), ("a.*", "arg0namespace='a'"),
    ("a.größe.c", "arg0namespace='a'"), ("a.1.b", "arg0namespace='a'"), ("#", nil), ("*.a", nil),
    ("1", nil), ("it's", nil),
  ])
  func rulesHaveTheBeginning(_ pattern: String, _ condition: String?) {
    let rule = EventPattern(pattern).filter.rule
    #expect(rule.split(separator: ",").last { $0.hasPrefix("arg0") }.map(String.init) == condition)
  }
}
