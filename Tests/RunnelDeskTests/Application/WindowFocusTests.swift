import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct WindowFocusTests {
  private let log = Log()
  private let spots: [Spot]
  private let row: StackView
  private let desk: Desk
  private var window: Window { desk.window }

  init() {
    let log = log
    spots = ["a", "b", "c"].map { Spot($0, log) }
    row = StackView(.horizontal, spots)
    desk = Desk(row)
  }

  private func press(_ names: String...) -> [String] {
    names.map { name in
      desk.backend.press(name)
      return (window.firstResponder as? Spot)?.name ?? "-"
    }
  }

  // MARK: Moving views

  @Test func aViewMovedWithinItsWindowKeepsTheFocus() {
    window.makeFirstResponder(spots[0])
    _ = log.take()
    row.addSubview(spots[0])
    row.insertSubview(spots[0], at: 1)
    #expect(window.firstResponder === spots[0] && log.take() == [])
    spots[0].removeFromSuperview()
    #expect(log.take() == ["b should become", "a resigned", "b became"])
  }

  @Test func aCallbackSeesTheNewSuperview() {
    let other = Window(content: StackView(.horizontal))
    desk.application.show(other)
    window.makeFirstResponder(spots[0])
    var seen: [Bool] = []
    spots[0].onEvent = { [spots] _ in seen.append(spots[0].superview === other.content) }
    other.content.addSubview(spots[0])
    #expect(seen == [true])
    let content = View()
    other.makeFirstResponder(spots[0])
    spots[0].onEvent = { _ in seen.append(other.content.superview == nil) }
    other.content = content
    #expect(seen.last == false && other.firstResponder == nil)
  }

  @Test func aCallbackMayMoveTheViewElsewhere() {
    let (other, place) = (Window(content: StackView(.horizontal)), View())
    desk.application.show(other)
    window.makeFirstResponder(spots[0])
    spots[0].onEvent = { [spots] event in
      if event == "resigned" { place.addSubview(spots[0]) }
    }
    other.content.addSubview(spots[0])
    #expect(spots[0].superview === place)
    #expect(place.subviews.count == 1 && other.content.subviews.isEmpty)
  }

  @Test func aMenuBarMovedToAnotherWindowStays() {
    let (bar, other) = (MenuBar([Menu("Menu")]), Window())
    window.menuBar = bar
    other.menuBar = bar
    window.menuBar = nil
    #expect(bar.window === other)
  }

  // MARK: Focus order

  @Test func tabCyclesInReadingOrder() {
    #expect(
      press("tab", "tab", "tab", "tab", "backtab", "backtab") == ["a", "b", "c", "a", "c", "b"])
    window.makeFirstResponder(nil)
    #expect(press("backtab") == ["c"])
  }

  @Test func tabSkipsViewsThatCannotHaveTheFocus() {
    spots[0].isHidden = true
    spots[1].isEnabled = false
    #expect(press("tab", "tab", "backtab") == ["c", "c", "c"])
    spots[2].canFocus = false
    window.makeFirstResponder(nil)
    #expect(press("tab") == ["-"])
    #expect(window.focusOrder.isEmpty)
  }

  @Test func tabSkipsViewsThatRefuseTheFocus() {
    spots[1].allowsFocus = false
    #expect(press("tab", "tab", "tab") == ["a", "c", "a"])
  }

  @Test func tabAsksOnceWhetherTheFocusMayMove() {
    window.makeFirstResponder(spots[0])
    spots[0].allowsResign = false
    _ = log.take()
    #expect(press("tab") == ["a"])
    #expect(log.take() == ["a should resign"])
    spots[0].allowsResign = true
    spots[1].allowsFocus = false
    #expect(press("tab") == ["c"])
    #expect(
      log.take()
        == ["a should resign", "b should become", "c should become", "a resigned", "c became"])
  }

  @Test func theOrderCanBeSet() {
    let elsewhere = Spot("elsewhere")
    window.focusOrder = [spots[2], elsewhere, spots[0]]
    #expect(press("tab", "tab", "tab") == ["c", "a", "c"])
    window.makeFirstResponder(spots[1])
    #expect(press("tab") == ["c"])
  }

  // MARK: Moving the focus

  @Test func theOldResponderIsNotifiedFirst() {
    let moves = window.rDelegate.stream(\.window_didMoveFocusTo).map { ($1 as? Spot)?.name }
      .record()
    window.makeFirstResponder(spots[0])
    window.makeFirstResponder(spots[1])
    #expect(
      log.take() == [
        "a should become", "a became", "a should resign", "b should become", "a resigned",
        "b became",
      ])
    #expect(window.makeFirstResponder(spots[1]))
    #expect(log.take() == [])
    #expect(window.makeFirstResponder(nil))
    #expect(moves.elements == ["a", "b", nil])
    #expect(spots[1].isFirstResponder == false)
  }

  @Test func oldAndNewResponderMayRefuse() {
    spots[0].allowsFocus = false
    #expect(!window.makeFirstResponder(spots[0]))
    #expect(window.firstResponder == nil)
    window.makeFirstResponder(spots[1])
    spots[1].allowsResign = false
    #expect(!window.makeFirstResponder(spots[2]))
    #expect(!window.makeFirstResponder(nil))
    #expect(spots[1].isFirstResponder)
  }

  @Test func anUnavailableViewCannotHaveTheFocus() {
    spots[0].isHidden = true
    spots[1].canFocus = false
    #expect(!window.makeFirstResponder(spots[0]))
    #expect(!window.makeFirstResponder(spots[1]))
    #expect(!window.makeFirstResponder(Spot("elsewhere")))
    #expect(log.take() == [])
  }

  // MARK: Losing the focus

  @Test func focusLeavesAHiddenDisabledOrRemovedView() {
    window.makeFirstResponder(spots[0])
    spots[0].allowsResign = false
    spots[0].isHidden = true
    #expect(spots[1].isFirstResponder)
    spots[1].isEnabled = false
    #expect(spots[2].isFirstResponder)
    spots[2].removeFromSuperview()
    #expect(window.firstResponder == nil)
    #expect(
      log.entries.filter { $0.hasSuffix("resigned") } == ["a resigned", "b resigned", "c resigned"])
  }

  @Test func focusLeavesAViewWhoseAncestorIsRemoved() {
    let outside = Spot("outside", log)
    window.content = StackView(.vertical, [row, outside])
    window.makeFirstResponder(spots[1])
    row.isEnabled = false
    #expect(outside.isFirstResponder)
    row.isEnabled = true
    window.makeFirstResponder(spots[1])
    row.removeFromSuperview()
    #expect(outside.isFirstResponder)
  }

  @Test func theContentMayBecomePartOfTheNextContent() {
    window.content = StackView(.vertical, [window.content, Label("below")])
    #expect(desk.text == "a   b   c\nbelow")
    window.content = row
    #expect(desk.text == "a   b   c")
  }

  @Test func aRemovedFirstResponderIsReleased() {
    weak var held: Spot?
    do {
      let spot = Spot("gone")
      held = spot
      row.addSubview(spot)
      window.makeFirstResponder(spot)
      spot.removeFromSuperview()
    }
    #expect(held == nil)
    #expect(window.firstResponder === spots[0])
  }

  // MARK: Reentrancy

  @Test func aNotifiedViewMayMoveTheFocus() {
    let moves = window.rDelegate.stream(\.window_didMoveFocusTo).map { ($1 as? Spot)?.name }
      .record()
    window.makeFirstResponder(spots[0])
    spots[0].onEvent = { [window, spots] in
      if $0 == "resigned" { window.makeFirstResponder(spots[2]) }
    }
    _ = log.take()
    #expect(!window.makeFirstResponder(spots[1]))
    #expect(spots[2].isFirstResponder)
    // The second view never became first responder.
    #expect(log.take().filter { !$0.contains("should") } == ["a resigned", "c became"])
    spots[1].onEvent = { [window, spots] in
      if $0 == "became" { window.makeFirstResponder(spots[0]) }
    }
    #expect(!window.makeFirstResponder(spots[1]))
    #expect(spots[0].isFirstResponder)
    #expect(
      log.take().filter { !$0.contains("should") }
        == ["c resigned", "b became", "b resigned", "a became"])
    #expect(moves.elements == ["a", "c", "a"])
  }

  @Test func anAskedViewMayMoveTheFocus() {
    window.makeFirstResponder(spots[0])
    spots[0].onEvent = { [window, spots] in
      guard $0 == "should resign" else { return }
      spots[0].onEvent = { _ in }
      window.makeFirstResponder(spots[2])
    }
    #expect(!window.makeFirstResponder(spots[1]))
    #expect(spots[2].isFirstResponder)
  }

  @Test func anAskedViewMayRemoveTheOther() {
    window.makeFirstResponder(spots[0])
    spots[0].onEvent = { [spots] in
      if $0 == "should resign" { spots[1].removeFromSuperview() }
    }
    #expect(!window.makeFirstResponder(spots[1]))
    #expect(spots[0].isFirstResponder)
    spots[2].onEvent = { [spots] in
      if $0 == "should become" { spots[2].isHidden = true }
    }
    #expect(!window.makeFirstResponder(spots[2]))
    #expect(spots[0].isFirstResponder)
  }

  @Test func aViewAskedByTabMayRemoveAllViews() {
    window.makeFirstResponder(spots[0])
    spots[1].onEvent = { [row] in
      if $0 == "should become" { for view in row.subviews { view.removeFromSuperview() } }
    }
    #expect(press("tab") == ["-"])
  }

  @Test func theOldOrderIsReleasedAfterTheNewIsSet() {
    let window = Window()
    var count = 9
    func release(_ window: Window?) { count = window?.focusOrder.count ?? 9 }
    window.focusOrder = [ReleasingView { [weak window] in release(window) }]
    window.focusOrder = []
    #expect(count == 0)
  }
}
