import RunnelDesk
import Testing

@Suite struct InputHistoryTests {
  @Test func movesBetweenTextsAndStopsAtEnds() {
    var history = InputHistory()
    #expect(history.move(-1) == nil && history.move(1) == nil && history.move(0) == "")
    for text in ["a", "b", "", "c", "a"] { history.add(text) }
    #expect([-1, -1, -1, -1].map { history.move($0) } == ["a", "c", "b", nil])
    #expect([1, 1, 1, 1].map { history.move($0) } == ["c", "a", "", nil])
    #expect(history.move(-2) == "c")
    history.add("d")
    #expect(history.move(-1) == "d")
  }

  @Test func extremeStepsAndLimitsAreHarmless() {
    var history = InputHistory(limit: 2)
    for text in ["a", "b", "c"] { history.add(text) }
    #expect(history.move(.min) == nil && history.move(.max) == nil)
    #expect([-1, -1, -1].map { history.move($0) } == ["c", "b", nil])
    var none = InputHistory(limit: -1)
    none.add("a")
    #expect(none.move(-1) == nil)
  }
}
