import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct SplitViewTests {
  private final class Delegate: SplitViewDelegate {
    let log = Log()
    var agrees = true
    var onAsk: () -> Void = {}

    func splitView(_ view: SplitView, shouldMoveDividerTo cells: Int) -> Bool {
      log.add("\(cells)?")
      onAsk()
      return agrees
    }
    func splitViewDidMoveDivider(_ view: SplitView) { log.add("moved") }
  }

  private let split = SplitView(.horizontal, Label("first"), Label("second"), position: .cells(3))
  private let delegate = Delegate()
  private let desk: Desk

  init() {
    desk = Desk(split, width: 11, height: 3)
    split.delegate = delegate
  }

  private func drag(from start: Point, to end: Point) {
    desk.mouse(.press(.left), x: start.x, y: start.y)
    desk.mouse(.drag(.left), x: end.x, y: end.y)
    desk.mouse(.release(.left), x: end.x, y: end.y)
  }

  // MARK: Layout

  @Test func aDividerSeparatesTheViews() {
    #expect(desk.text == "fi…│second\n   │\n   │")
    #expect(desk.style(x: 3, y: 0) == Theme.standard.faint)
    split.axis = .vertical
    split.position = .cells(1)
    #expect(desk.text == "first\n───────────\nsecond")
    split.first.isHidden = true
    #expect(desk.text == "second")
    split.first.isHidden = false
    split.second.isHidden = true
    #expect(desk.text == "first")
    split.first.isHidden = true
    #expect(desk.text == "")
  }

  /// The width of the first view in cells.
  private var cells: Int {
    _ = desk.text
    return split.first.frame.width
  }

  @Test func aFractionGrowsWithTheView() {
    split.position = .fraction(0.3)
    #expect(cells == 3)
    desk.backend.send(.resize(Size(width: 101, height: 3)))
    #expect(cells == 30)
    #expect(split.second.frame == Rect(x: 31, y: 0, width: 70, height: 3))
    for (fraction, expected) in [(-1, 1), (2, 99), (.nan, 1), (.infinity, 99)] {
      split.position = .fraction(fraction)
      #expect(cells == expected)
    }
  }

  @Test func eachViewKeepsItsMinimum() {
    split.firstMinimum = 4
    split.secondMinimum = 2
    #expect(cells == 4)
    split.position = .cells(.max)
    #expect(cells == 8)
    split.position = .cells(.min)
    #expect(cells == 4)
    // The second view takes precedence if there is no room for both.
    split.firstMinimum = 20
    #expect(cells == 8)
    split.secondMinimum = 20
    #expect(cells == 0)
    split.firstMinimum = -3
    split.secondMinimum = -3
    split.position = .cells(-2)
    #expect(cells == 0)
    for width in 0...2 {
      desk.backend.send(.resize(Size(width: width, height: 1)))
      #expect(cells == 0)
    }
  }

  @Test func removingAViewGivesItsRoomToTheOther() {
    split.first.removeFromSuperview()
    #expect(desk.text == "second")
    drag(from: Point(x: 3, y: 0), to: Point(x: 5, y: 0))
    #expect(delegate.log.entries.isEmpty)
  }

  // MARK: Moving the divider

  @Test func theMouseMovesTheDivider() {
    drag(from: Point(x: 3, y: 1), to: Point(x: 6, y: 2))
    #expect(split.position == .cells(6))
    #expect(desk.text == "first │sec…\n      │\n      │")
    #expect(delegate.log.take() == ["6?", "moved"])
    drag(from: Point(x: 5, y: 1), to: Point(x: 2, y: 2))
    #expect(split.position == .cells(6))
    drag(from: Point(x: 6, y: 0), to: Point(x: 400, y: 0))
    #expect(split.position == .cells(9))
    drag(from: Point(x: 9, y: 0), to: Point(x: -4, y: 0))
    #expect(split.position == .cells(1))
  }

  @Test func aFractionStaysAFractionAfterADrag() {
    split.position = .fraction(0.5)
    drag(from: Point(x: 5, y: 0), to: Point(x: 7, y: 0))
    #expect(split.position == .fraction(0.7))
    #expect(cells == 7)
    split.axis = .vertical
    #expect(desk.text == "first\n───────────\nsecond")
  }

  @Test func aDelegateOrAHandlerMayRefuse() {
    delegate.agrees = false
    drag(from: Point(x: 3, y: 0), to: Point(x: 5, y: 0))
    #expect(split.position == .cells(3))
    let answer = split.rDelegate.answer(\.splitView_shouldMoveDividerTo) { _, cells in cells < 6 }
    drag(from: Point(x: 3, y: 0), to: Point(x: 7, y: 0))
    #expect(split.position == .cells(3))
    drag(from: Point(x: 3, y: 0), to: Point(x: 5, y: 0))
    #expect(split.position == .cells(5))
    answer.dispose()
    split.moveDivider(to: 6)
    #expect(split.position == .cells(5))
  }

  @Test func anAskedDelegateMayMoveOrHideAView() {
    delegate.onAsk = { [split] in split.position = .cells(2) }
    _ = desk.text
    split.moveDivider(to: 5)
    #expect(split.position == .cells(2))
    _ = desk.text
    delegate.onAsk = { [split] in split.first.isHidden = true }
    drag(from: Point(x: 2, y: 0), to: Point(x: 6, y: 0))
    #expect(desk.text == "second")
  }

  @Test func aDragToTheSamePlaceIsNoMove() {
    drag(from: Point(x: 3, y: 0), to: Point(x: 3, y: 2))
    split.isEnabled = false
    drag(from: Point(x: 3, y: 0), to: Point(x: 6, y: 2))
    split.moveDivider(to: 5)
    #expect(delegate.log.entries.isEmpty)
  }

  // MARK: Streams

  @Test func sendsThePositionAndTheUsersChanges() {
    let positions = split.rx.position.record()
    split.position = .cells(4)
    #expect(cells == 4)
    split.moveDivider(to: 5)
    #expect(positions.elements == [.cells(3), .cells(5)])
    Property(SplitView.Position.fraction(0.2)).bind(to: split.rx.position)
    #expect(cells == 2)
  }

  @Test func itsStreamCompletesOnRelease() {
    var split: SplitView? = SplitView(.vertical, View(), View())
    weak let held = split
    let positions = split?.rx.position.record()
    split = nil
    #expect(held == nil)
    #expect(positions?.events == [.next(.fraction(0.5)), .completed])
  }
}
