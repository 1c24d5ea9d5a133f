import RunnelDesk
import Testing

@Suite struct TrailTests {
  private var trail = Trail<String>()

  @Test mutating func backAndForwardAreOpposite() {
    #expect(trail.goBack(from: "a") == nil && trail.goForward(from: "a") == nil)
    trail.leave("a")
    trail.leave("b")
    #expect(trail.goBack(from: "c") == "b" && trail.goBack(from: "b") == "a")
    #expect(trail.goBack(from: "a") == nil)
    #expect(trail.goForward(from: "a") == "b" && trail.goForward(from: "b") == "c")
    #expect(trail.goForward(from: "c") == nil && trail.goBack(from: "c") == "b")
  }

  @Test mutating func leavingEndsForward() {
    trail.leave("a")
    #expect(trail.goBack(from: nil) == "a" && trail.goForward(from: "a") == nil)
    trail.leave("a")
    #expect(trail.goBack(from: "b") == "a")
    trail.leave("a")
    #expect(trail.goForward(from: "c") == nil && trail.goBack(from: "c") == "a")
  }

  @Test mutating func replacedPlacesAreInBothDirections() {
    for place in ["a", "b", "a"] { trail.leave(place) }
    #expect(trail.goBack(from: "c") == "a")
    trail.replace("a", with: "x")
    trail.replace("c", with: "z")
    #expect(trail.goBack(from: "a") == "b" && trail.goBack(from: "b") == "x")
    #expect(trail.goForward(from: "x") == "b" && trail.goForward(from: "b") == "a")
    #expect(trail.goForward(from: "a") == "z")
  }
}
