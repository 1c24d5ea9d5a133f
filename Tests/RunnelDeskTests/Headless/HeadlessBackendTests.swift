import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct HeadlessBackendTests {
  @Test func drawsOnDemand() {
    let label = Label("one")
    let desk = Desk(label)
    #expect(desk.backend.pictureCount == 0)
    #expect(desk.text == "one")
    label.text = "two"
    label.text = "three"
    #expect(desk.text == "three")
    #expect(desk.backend.pictureCount == 2)
  }

  @Test func aNewSizeRedraws() {
    let desk = Desk(Label("a long text"), width: 20, height: 1)
    #expect(desk.text == "a long text")
    desk.backend.send(.resize(Size(width: 6, height: 2)))
    #expect(desk.backend.text == "a lon…\n")
    desk.backend.send(.resize(.zero))
    #expect(desk.backend.text == "")
    desk.backend.send(.resize(Size(width: -1, height: 3)))
    #expect(desk.backend.text == "\n\n")
    desk.backend.send(.resize(Size(width: 1_000_000_000, height: .max)))
    #expect(desk.backend.grid.size == Size(width: 2_000, height: 1_000))
  }

  /// A picture drawn before a change must not be returned after it.
  @Test func mayBeReadDuringDrawing() {
    let (label, hook) = (Label("one"), DrawHookView())
    let desk = Desk(StackView(.vertical, [label, hook]))
    hook.action = {
      hook.action = {}
      label.text = "two"
      #expect(desk.text == "two")
    }
    _ = desk.text
    #expect(desk.text == "two")
  }

  @Test func clicksOutsideTheScreenAreIgnored() {
    let desk = Desk(Spot("spot"))
    desk.backend.click(Point(x: 400, y: -3))
    desk.backend.click(Point(x: .max, y: .min))
    desk.mouse(.press(.left), x: 0, y: 0)
    desk.mouse(.drag(.left), x: .min, y: .max)
  }

  @Test func clickFindsTheFirstOccurrenceOfAText() {
    let spot = Spot("世界 ab ab")
    let desk = Desk(spot)
    _ = desk.text
    desk.backend.click("ab")
    #expect(spot.log.entries.last?.contains("(6, 0)") == true)
  }

  @Test func isBlankWithoutAnApplication() {
    let backend = HeadlessBackend(Size(width: 3, height: 2))
    #expect(backend.text == "\n")
    backend.type("abc")
    var desk: Application? = Application(backend: backend)
    desk?.show(Window(content: Label("a")))
    #expect(backend.text == "a\n")
    desk = nil
    backend.needsDisplay()
    #expect(backend.text == "\n")
    // The backend can then show another application.
    let next = Application(backend: backend)
    next.show(Window(content: Label("b")))
    #expect(backend.text == "b\n")
  }

  @Test func countsBells() {
    let desk = Desk(View())
    desk.application.backend.ring()
    #expect(desk.backend.rings == 1)
  }
}
