import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ScrollViewTests {
  private let fields = (0..<8).map { TextField("field \($0)") }
  private let scroll: ScrollView
  private let desk: Desk

  init() {
    scroll = ScrollView(StackView(.vertical, fields))
    desk = Desk(scroll, width: 10, height: 4)
  }

  /// The numbers of the visible fields.
  private var visible: [Int] { desk.lines.compactMap { Int($0.dropFirst(6).prefix(1)) } }

  // MARK: - Display

  @Test func showsAPartOfItsContentAndABar() {
    #expect(desk.text == "field 0  █\nfield 1  █\nfield 2  │\nfield 3  │")
    #expect(fields[0].frame.width == 9)
    scroll.scrollPosition = 3
    #expect(desk.text == "field 3  │\nfield 4  █\nfield 5  █\nfield 6  │")
    desk.backend.send(.resize(Size(width: 10, height: 8)))
    #expect(visible == Array(0..<8) && scroll.scrollPosition == 0)
    #expect(fields[0].frame.width == 10)
  }

  @Test func scrollPositionIsClampedAtTheNextLayout() {
    scroll.scrollPosition = 99
    #expect(visible == [4, 5, 6, 7] && scroll.scrollPosition == 4)
    scroll.scrollPosition = .min
    #expect(visible == [0, 1, 2, 3])
    scroll.content = Label("short")
    #expect(desk.text == "short")
    scroll.content.removeFromSuperview()
    #expect(desk.text == "")
  }

  @Test func leavesRoomForOtherViews() {
    desk.window.content = StackView(.vertical, [scroll, StatusBar("ready")])
    #expect(visible == [0, 1, 2] && desk.lines[3] == " ready")
  }

  @Test func wrappedTextLeavesRoomForTheBar() {
    let text = Label("one two three four five six seven eight")
    text.wraps = true
    scroll.content = text
    #expect(desk.text == "one two  █\nthree    █\nfour five█\nsix seven│")
    desk.press("tab", "end")
    #expect(desk.lines.last == "eight    █")
  }

  @Test(arguments: 0..<4, 0..<4)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.press("tab", "backtab", "pageup")
    desk.mouse(.wheel(.down), x: 0, y: 0)
    desk.click(max(width - 1, 0), 0)
    #expect(desk.lines.count == height)
  }

  // MARK: - Scrolling

  @Test func theFocusedViewIsVisible() {
    desk.press("tab", "backtab")
    #expect(fields[7].isFirstResponder && visible == [4, 5, 6, 7])
    desk.press("tab")
    #expect(visible == [0, 1, 2, 3])
    desk.window.makeFirstResponder(fields[5])
    #expect(visible == [2, 3, 4, 5])
    desk.backend.send(.resize(Size(width: 10, height: 2)))
    #expect(visible == [4, 5])
    // It stays visible when its place changes, and nothing moves if it is visible anyway.
    fields[0].isHidden = true
    #expect(visible == [5, 6])
    scroll.scrollPosition = 0
    #expect(visible == [1, 2])
    fields[0].isHidden = false
    #expect(visible == [4, 5])
    desk.press("x")
    #expect(desk.cursor != nil)
  }

  @Test func theWheelScrollsAwayFromTheFocus() {
    desk.press("tab")
    desk.mouse(.wheel(.down), x: 0, y: 0)
    #expect(visible == [3, 4, 5, 6] && desk.cursor == nil)
    desk.mouse(.wheel(.down), x: 0, y: 0)
    desk.mouse(.wheel(.down), x: 0, y: 0)
    #expect(visible == [4, 5, 6, 7])
    desk.mouse(.wheel(.up), x: 0, y: 0)
    #expect(visible == [1, 2, 3, 4])
    // A click on a visible field does not scroll.
    desk.click(0, 2)
    #expect(fields[3].isFirstResponder && visible == [1, 2, 3, 4])
  }

  @Test func theBarScrolls() {
    desk.mouse(.press(.left), x: 9, y: 3)
    #expect(visible == [4, 5, 6, 7])
    desk.mouse(.drag(.left), x: 0, y: 2)
    #expect(visible == [2, 3, 4, 5])
    desk.mouse(.drag(.left), x: 0, y: -9)
    desk.mouse(.release(.left), x: 0, y: -9)
    #expect(visible == [0, 1, 2, 3])
    desk.mouse(.drag(.left), x: 0, y: 9)
    #expect(visible == [0, 1, 2, 3])
  }

  @Test func pageKeysThatTheContentLeavesScroll() {
    scroll.content = StackView(.vertical, (0..<9).map { Checkbox("\($0)") })
    desk.press("tab", "pagedown")
    #expect(desk.lines[0].hasPrefix("[ ] 3"))
    desk.press("pageup", "down")
    #expect(desk.lines[0].hasPrefix("[ ] 0"))
  }

  @Test func keysScrollAContentWithoutControls() {
    scroll.content = Label((0..<9).map { "line \($0)" }.joined(separator: "\n"))
    desk.press("tab", "down", "down")
    #expect(scroll.isFirstResponder && desk.lines[0].hasPrefix("line 2"))
    desk.press("up", "pagedown")
    #expect(desk.lines[0].hasPrefix("line 4"))
    desk.press("end", "down")
    #expect(desk.lines[3].hasPrefix("line 8"))
    desk.press("home", "up")
    #expect(desk.lines[0].hasPrefix("line 0"))
    desk.backend.send(.resize(Size(width: 10, height: 9)))
    desk.press("tab")
    #expect(!scroll.canBecomeFirstResponder)
  }

  @Test func editingMakesAFieldVisibleAgain() {
    desk.press("tab", "pagedown", "pagedown")
    #expect(visible == [4, 5, 6, 7])
    desk.backend.type("x")
    #expect(fields[0].text == "x" && desk.lines[0].hasPrefix("x") && desk.cursor != nil)
    desk.mouse(.wheel(.down), x: 0, y: 0)
    desk.press("right")
    #expect(desk.lines[0].hasPrefix("x"))
    fields[6].scrollToVisible()
    #expect(visible == [3, 4, 5, 6] && fields[0].isFirstResponder)
    fields[0].text = "y"
    #expect(visible == [3, 4, 5, 6])
  }

  @Test func nestedScrollViewsShowTheFocusedView() {
    let last = TextField("inner")
    let inner = ScrollView(StackView(.vertical, [Label("1\n2\n3\n4"), last]))
    inner.height = 2
    scroll.content = StackView(.vertical, [Label("a\nb\nc\nd\ne"), inner])
    desk.window.makeFirstResponder(last)
    #expect(desk.lines[3].hasPrefix("inner"))
    // The inner view scrolls first, then the outer one.
    desk.mouse(.wheel(.up), x: 0, y: 3)
    #expect(desk.lines[2...].map { $0.prefix(1) } == ["1", "2"])
    desk.mouse(.wheel(.up), x: 0, y: 3)
    #expect(desk.lines[0].hasPrefix("a"))
  }

  // MARK: - Delegate

  @Test func theDelegateIsNotifiedOfScrolling() {
    let positions = scroll.rx.scrollPosition.record()
    desk.mouse(.wheel(.down), x: 0, y: 0)
    scroll.scrollPosition = 0
    _ = desk.text
    desk.window.makeFirstResponder(fields[7])
    _ = desk.text
    #expect(positions.elements == [0, 3, 4])
    scroll.rDelegate.stream(\.scrollViewDidScroll).observeNext { $0.removeFromSuperview() }
    desk.mouse(.wheel(.up), x: 0, y: 0)
    #expect(desk.text == "")
    #expect(!scroll.scroll(to: 3))
  }

  // MARK: - Focus

  /// A program sets the focus before it shows the window.
  @Test func isFocusableBeforeItsFirstLayout() {
    let text = ScrollView(Label((0..<9).map { "line \($0)" }.joined(separator: "\n")))
    let window = Window(content: StackView(.vertical, [TextField(), text]))
    #expect(window.focusOrder.count == 2)
    #expect(window.makeFirstResponder(text))
    desk.application.show(window)
    desk.press("down")
    #expect(desk.lines[1].hasPrefix("line 1"))
    // The new content has not been measured either.
    text.content = Label("short")
    #expect(text.isFirstResponder)
    desk.press("tab", "tab")
    #expect(window.firstResponder is TextField)
    text.content = TextField()
    #expect(!text.canBecomeFirstResponder)
  }

  @Test func longAccessoryOfAlertFitsItsContentAndScrolls() {
    let page = ScrollView(Label((0..<9).map { "line \($0)" }.joined(separator: "\n")))
    let alert = Alert("Keys")
    alert.accessory = page
    page.fitsContent = true
    desk.backend.send(.resize(Size(width: 40, height: 30)))
    alert.ask(in: desk.application).observe(succeeded: { _ in })
    let shown = desk.text
    #expect(page.frame.size == Size(width: 6, height: 9), "\(shown)")
    desk.backend.send(.resize(Size(width: 40, height: 8)))
    #expect(desk.lines.contains { $0.contains("line 0") })
    desk.press("pagedown", "pagedown", "pagedown")
    #expect(desk.lines.contains { $0.contains("line 8") })
    desk.press("enter")
    #expect(desk.application.windows.count == 1)
  }
}
