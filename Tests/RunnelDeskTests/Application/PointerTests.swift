import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct PointerTests {
  private let log = Log()
  private let left: Spot
  private let right: Spot
  private let desk: Desk

  init() {
    left = Spot("left", log)
    right = Spot("right", log)
    left.canFocus = false
    right.canFocus = false
    desk = Desk(StackView(.horizontal, [left, right]))
  }

  @Test func aViewReceivesEventsInItsOwnCoordinates() {
    desk.mouse(.move, x: 5, y: 0)
    desk.mouse(.wheel(.down), x: 0, y: 0)
    desk.mouse(.move, x: 12, y: 3)
    #expect(
      log.take() == [
        "right move (1, 0) 0", "left wheel(RunnelDesk.MouseEvent.Direction.down) (0, 0) 0",
      ])
  }

  @Test func anUnhandledEventReachesTheSuperview() {
    let outer = Spot("outer", log)
    outer.canFocus = false
    outer.addSubview(left)
    desk.window.content = outer
    left.takesMouse = false
    desk.mouse(.move, x: 1, y: 0)
    #expect(log.take() == ["left move (1, 0) 0", "outer move (1, 0) 0"])
  }

  // MARK: Clicks

  private func clicks() -> [String] {
    log.take().filter { $0.contains("press") }.map { String($0.suffix(1)) }
  }

  @Test func countsQuickClicksAtOnePosition() {
    for _ in 0..<3 { desk.backend.click(Point(x: 1, y: 0)) }
    #expect(clicks() == ["1", "2", "3"])
    desk.backend.click(Point(x: 2, y: 0))
    #expect(clicks() == ["1"])
    desk.scheduler.advance(by: .milliseconds(401))
    desk.backend.click(Point(x: 2, y: 0))
    desk.scheduler.advance(by: .milliseconds(400))
    desk.backend.click(Point(x: 2, y: 0))
    #expect(clicks() == ["1", "2"])
    desk.mouse(.press(.right), x: 2, y: 0)
    #expect(clicks() == ["1"])
  }

  @Test func aReleaseHasTheClickCountOfItsPress() {
    desk.backend.click(Point(x: 1, y: 0))
    desk.backend.click(Point(x: 1, y: 0))
    #expect(log.take().map { $0.suffix(1) } == ["1", "1", "2", "2"])
  }

  @Test func clicksOnTwoViewsAreNoDoubleClick() {
    let dialog = Window(content: Spot("front", log))
    desk.backend.click(Point(x: 1, y: 0))
    desk.application.show(dialog)
    desk.backend.click(Point(x: 1, y: 0))
    #expect(clicks() == ["1", "1"])
  }

  // MARK: Mouse capture

  @Test func aPressCapturesTheMouseUntilTheRelease() {
    desk.mouse(.press(.left), x: 1, y: 0)
    _ = log.take()
    desk.mouse(.drag(.left), x: 5, y: 2)
    desk.mouse(.release(.left), x: -3, y: 0)
    desk.mouse(.drag(.left), x: 5, y: 0)
    desk.mouse(.release(.left), x: 5, y: 0)
    #expect(log.take().map { $0.split(separator: " ")[0] } == ["left", "left"])
  }

  @Test func captureEndsForARemovedHiddenOrDisabledView() {
    let changes: [(Spot) -> Void] = [
      { $0.removeFromSuperview() }, { $0.isHidden = true }, { $0.isEnabled = false },
    ]
    for change in changes {
      let spot = Spot("spot", log)
      desk.window.content = spot
      desk.mouse(.press(.left), x: 0, y: 0)
      change(spot)
      _ = log.take()
      desk.mouse(.drag(.left), x: 0, y: 0)
      desk.mouse(.release(.left), x: 0, y: 0)
      #expect(log.take() == [])
    }
  }

  @Test func captureEndsWhenAnotherWindowAppears() {
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.application.show(Window(content: Spot("front", log)))
    _ = log.take()
    desk.mouse(.release(.left), x: 1, y: 0)
    #expect(log.take() == [])
  }

  @Test func aViewMayBeReleasedInItsOwnHandler() {
    weak var held: Spot?
    do {
      let spot = Spot("gone", log)
      held = spot
      desk.window.content = spot
      spot.onEvent = { [desk] in
        if $0.hasPrefix("press") { desk.window.content = Label("after") }
      }
    }
    desk.backend.click(Point(x: 0, y: 0))
    #expect(held == nil)
    #expect(desk.text == "after")
  }

  @Test func aClickInsideAClickIsSeparate() {
    left.onEvent = { [desk, left] in
      guard $0.hasPrefix("press") else { return }
      left.onEvent = { _ in }
      desk.backend.click(Point(x: 5, y: 0))
    }
    desk.backend.click(Point(x: 1, y: 0))
    let heard = log.take().map { $0.split(separator: " ")[0] }
    #expect(heard == ["left", "right", "right"])
  }

  // MARK: Focus

  @Test func aPressFocusesAView() {
    left.canFocus = true
    right.canFocus = true
    desk.backend.click(Point(x: 5, y: 0))
    #expect(right.isFirstResponder)
    right.allowsResign = false
    _ = log.take()
    desk.backend.click(Point(x: 1, y: 0))
    #expect(right.isFirstResponder)
    #expect(log.take() == ["right should resign"])
  }

  @Test func pressOnUnfocusableViewFocusesAncestor() {
    let outer = Spot("outer", log)
    outer.addSubview(left)
    desk.window.content = outer
    desk.backend.click(Point(x: 1, y: 0))
    #expect(outer.isFirstResponder)
  }
}
