import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TextViewTests {
  private func place(_ view: TextView) -> String { "\(view.selection.head)" }

  // MARK: - Display

  @Test func aTextChangedDuringLayoutIsShown() {
    let (hook, view, field) = (DrawHookView(), TextView("one\ntwo\nthree"), TextField("four five"))
    let backend = HeadlessBackend(Size(width: 8, height: 4))
    let application = Application(backend: backend)
    hook.action = {
      view.text = ""
      field.text = "6"
    }
    hook.height = 0
    view.height = 3
    application.show(Window(content: StackView(.vertical, [hook, view, field])))
    hook.height = 1
    view.height = 2
    #expect(backend.grid.lines == ["", "", "", "6"])
  }

  @Test func showsTheTextAndTheCaret() {
    let view = TextView("The quick brown fox\njumps\n\tover 世界")
    let desk = Desk(focusing: view, width: 12, height: 6)
    #expect(
      desk.styled == """
        The quick
        brown fox
        jumps
            over 世
        界

        cursor: (0, 0)
        """)
    view.wrapsLines = false
    #expect(desk.lines == ["The quick br", "jumps", "    over 世", "", "", ""])
    view.selection = TextSelection(caret: TextPosition(line: 0, offset: 19))
    #expect(desk.lines == ["k brown fox", "", " 世界", "", "", ""])
    #expect(desk.cursor == Point(x: 11, y: 0))
    desk.press("down")
    #expect(desk.lines == ["The quick br", "jumps", "    over 世", "", "", ""])
    // Half of a wide character is not shown.
    view.text = "世界世界世界abcd"
    desk.press("end")
    #expect(desk.lines.first == " 界世界abcd")
    #expect(desk.cursor == Point(x: 11, y: 0))
    desk.press("home")
    #expect(desk.lines.first == "世界世界世界")
  }

  @Test func showsTheSelection() {
    let view = TextView("one\n\ntwo")
    let desk = Desk(focusing: view, width: 8, height: 3)
    view.selection = TextSelection(
      anchor: TextPosition(line: 2, offset: 1), head: TextPosition(line: 0, offset: 1))
    let expected = """
      one

      two
      ----
      .aaa
      a
      a
      """
    #expect(desk.styled.hasPrefix(expected))
    #expect(desk.styled.hasSuffix("a: brightWhite on blue\ncursor: (1, 0)"))
    // The selection has another style without the focus.
    desk.window.makeFirstResponder(nil)
    #expect(desk.styled.hasPrefix(expected))
    #expect(desk.styled.hasSuffix("a: reverse"))
  }

  @Test func highlightsMatches() {
    var asked: [Int] = []
    let view = TextView(String(repeating: "a milk b\n", count: 1_000))
    let desk = Desk(focusing: view, width: 10, height: 2)
    view.highlights = { number, line in
      asked.append(number)
      return line.ranges(of: "milk").map { TextHighlight($0) }
        + line.ranges(of: "b").map { TextHighlight($0, style: TextStyle(effects: .bold)) }
    }
    #expect(
      desk.styled == """
        a milk b
        a milk b
        ----
        ..aaaa.b
        ..aaaa.b
        a: black on yellow
        b: bold
        cursor: (0, 0)
        """)
    #expect(asked == [0, 1])
    // A range of another text is harmless.
    let other = String(repeating: "x", count: 50)
    view.highlights = { _, _ in [TextHighlight(other.startIndex..<other.endIndex)] }
    #expect(desk.styled.contains("aaaaaaaa\naaaaaaaa"))
  }

  @Test func hasADisabledStyle() {
    let view = TextView("text")
    let desk = Desk(focusing: view, width: 6, height: 1)
    view.isEnabled = false
    #expect(desk.styled == "text\n----\naaaa\na: brightBlack")
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 1), (0, 5), (5, 0)])
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    let view = TextView("one two\nthree 世界")
    let desk = Desk(focusing: view, width: width, height: height)
    for wraps in [true, false] {
      view.wrapsLines = wraps
      desk.press("down", "end", "pagedown", "up", "ctrl+home", "shift+ctrl+end")
      desk.backend.send(
        .mouse(MouseEvent(.wheel(.down), at: .zero)))
      desk.click(0, 0)
      _ = desk.styled
    }
    desk.backend.type("x")
    #expect(view.text.contains("x"))
  }

  // MARK: - Scrolling

  private func numbered(_ count: Int) -> TextView {
    TextView((0..<count).map { "line \($0)" }.joined(separator: "\n"))
  }

  @Test func scrollsToTheCaret() {
    let view = numbered(20)
    let desk = Desk(focusing: view, width: 12, height: 4)
    desk.press("down", "down", "down")
    #expect(desk.lines.first == "line 0")
    desk.press("down")
    #expect(desk.lines == ["line 1", "line 2", "line 3", "line 4"])
    desk.press("pagedown")
    #expect(desk.lines == ["line 4", "line 5", "line 6", "line 7"])
    desk.press("ctrl+end")
    #expect(desk.lines == ["line 16", "line 17", "line 18", "line 19"])
    desk.press("up", "up", "up", "up")
    #expect(desk.lines == ["line 15", "line 16", "line 17", "line 18"])
    desk.press("ctrl+home")
    #expect(desk.lines.first == "line 0")
    view.selection = TextSelection(caret: TextPosition(line: 10, offset: 0))
    #expect(desk.lines.last == "line 10")
  }

  @Test func theWheelScrollsWithoutTheCaret() {
    let view = numbered(20)
    let desk = Desk(focusing: view, width: 12, height: 4)
    desk.mouse(.wheel(.down), x: 0, y: 0)
    #expect(desk.lines == ["line 3", "line 4", "line 5", "line 6"])
    #expect(desk.cursor == nil)
    #expect(view.selection == .start)
    for _ in 0..<9 { desk.mouse(.wheel(.down), x: 0, y: 0) }
    #expect(desk.lines == ["line 16", "line 17", "line 18", "line 19"])
    for _ in 0..<4 { desk.mouse(.wheel(.up), x: 0, y: 0) }
    #expect(desk.lines.first == "line 4")
    // Typing scrolls back to the caret.
    desk.backend.type("x")
    #expect(desk.lines.first == "xline 0")
    for _ in 0..<9 { desk.mouse(.wheel(.up), x: 0, y: 0) }
    #expect(desk.lines.first == "xline 0")
  }

  @Test func topSetsTheFirstVisibleLine() {
    let view = numbered(20)
    let desk = Desk(focusing: view, width: 12, height: 3)
    view.top = TextPosition(line: 7, offset: 3)
    #expect(desk.lines == ["line 7", "line 8", "line 9"])
    #expect(view.top == TextPosition(line: 7, offset: 0))
    view.top = TextPosition(line: 99, offset: 0)
    #expect(desk.lines == ["line 17", "line 18", "line 19"])
  }

  @Test func aNewSizeKeepsTheCaretInViewOnlyIfItWas() {
    let view = numbered(20)
    let desk = Desk(focusing: view, width: 12, height: 4)
    view.selection = TextSelection(caret: TextPosition(line: 3, offset: 0))
    desk.backend.send(.resize(Size(width: 12, height: 2)))
    #expect(desk.lines == ["line 2", "line 3"])
    view.top = TextPosition(line: 9, offset: 0)
    desk.backend.send(.resize(Size(width: 10, height: 3)))
    #expect(desk.lines == ["line 9", "line 10", "line 11"])
  }

  /// The visible lines stay in place when lines are added or removed above them.
  @Test func visibleLinesStayWhenTheTextChanges() {
    let view = numbered(20)
    let desk = Desk(focusing: view, width: 12, height: 3)
    for _ in 0..<3 { desk.mouse(.wheel(.down), x: 0, y: 0) }
    #expect(desk.lines == ["line 9", "line 10", "line 11"])
    view.text = "new\nnewer\n" + view.text
    #expect(desk.lines == ["line 9", "line 10", "line 11"])
    view.text = "short\ntext"
    #expect(desk.lines == ["short", "text", ""])
  }

  @Test func aNewWidthWrapsTheTextAgain() {
    let view = TextView("one two three four five six seven")
    let desk = Desk(focusing: view, width: 40, height: 2)
    desk.press("end")
    #expect(desk.lines.first == "one two three four five six seven")
    desk.backend.send(.resize(Size(width: 10, height: 2)))
    #expect(desk.lines == ["four five", "six seven"])
    #expect(desk.cursor == Point(x: 9, y: 1))
  }

  // MARK: - Editing

  @Test func canBeEditedWithKeys() {
    let view = TextView()
    let desk = Desk(focusing: view, width: 20, height: 4)
    desk.backend.type("Hello wrld\n\tnext")
    desk.press("up", "ctrl+left", "right")
    desk.backend.type("o")
    #expect(view.text == "Hello world\n\tnext")
    #expect(desk.lines == ["Hello world", "    next", "", ""])
    desk.press("ctrl+w", "ctrl+k")
    #expect(view.text == "Hello \n\tnext")
    desk.press("ctrl+z", "ctrl+z", "ctrl+z")
    #expect(view.text == "Hello wrld\n\tnext")
    desk.press("ctrl+y")
    #expect(view.text == "Hello world\n\tnext")
    desk.press("ctrl+a")
    desk.backend.type("x")
    #expect(view.text == "x")
    desk.backend.type("e\u{301}")
    for scalar in "🇨🇭".unicodeScalars { desk.backend.type(String(Character(scalar))) }
    desk.press("backspace", "backspace")
    #expect(view.text == "x")
  }

  @Test func canBeEditedThroughTheClipboard() {
    let view = TextView("one two")
    let desk = Desk(focusing: view)
    desk.press("ctrl+c")
    #expect(desk.backend.clipboard == "")
    desk.press("ctrl+shift+right", "ctrl+c")
    #expect(desk.backend.clipboard == "one")
    desk.press("ctrl+end", "ctrl+v", "ctrl+v")
    #expect(view.text == "one twooneone")
    desk.press("ctrl+a", "ctrl+x")
    #expect(view.text == "")
    #expect(desk.backend.clipboard == "one twooneone")
    desk.press("ctrl+x")
    #expect(desk.backend.clipboard == "one twooneone")
    desk.backend.send(.paste("a\nb"))
    #expect(view.text == "a\nb")
    desk.press("ctrl+z")
    #expect(view.text == "")
  }

  @Test func aReadOnlyViewKeepsItsText() {
    let view = TextView("one two")
    let desk = Desk(focusing: view)
    view.isEditable = false
    var changes = 0
    view.rx.didChange.observeNext { changes += 1 }
    desk.backend.type("x\n\t")
    desk.window.makeFirstResponder(view)
    desk.backend.send(.paste("x"))
    desk.press("backspace", "delete", "ctrl+k", "ctrl+z", "ctrl+a", "ctrl+x", "ctrl+v")
    #expect(view.text == "one two")
    #expect(changes == 0)
    desk.press("ctrl+c")
    #expect(desk.backend.clipboard == "one two")
    #expect(view.selection == TextSelection(0, 7))
  }

  // MARK: - Mouse

  @Test func clicksAndDragsSelect() {
    let view = TextView("one two\nthree 世界 x\nfour")
    let desk = Desk(focusing: view, width: 20, height: 5)
    func selected() -> String { view.document[view.selection.range] }
    desk.click(2, 0)
    #expect(place(view) == "0:2")
    desk.click(19, 1)
    #expect(place(view) == "1:14")
    desk.click(9, 1)
    #expect(place(view) == "1:9")
    desk.click(1, 4)
    #expect(place(view) == "2:4")
    desk.click(5, 0, times: 2)
    #expect(selected() == "two")
    desk.click(5, 0)
    #expect(selected() == "one two\n")
    desk.click(5, 0)
    #expect(selected() == "")
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.drag(.left), x: 3, y: 1)
    #expect(selected() == "ne two\nthr")
    desk.mouse(.drag(.left), x: 0, y: 0)
    #expect(selected() == "o")
    #expect(view.selection == TextSelection(1, 0))
    desk.mouse(.release(.left), x: 0, y: 0)
    desk.mouse(.drag(.left), x: 4, y: 0)
    #expect(selected() == "o")
    desk.backend.send(.mouse(MouseEvent(.press(.left), at: Point(x: 4, y: 0), .shift)))
    #expect(selected() == "ne ")
    desk.mouse(.release(.left), x: 4, y: 0)
    // Other mouse buttons do not select.
    desk.mouse(.press(.right), x: 0, y: 0)
    #expect(selected() == "ne ")
  }

  @Test func aDragAfterADoubleClickSelectsWords() {
    let view = TextView("one two three four")
    let desk = Desk(focusing: view, width: 30, height: 2)
    desk.click(9, 0)
    desk.mouse(.press(.left), x: 9, y: 0)
    desk.mouse(.drag(.left), x: 15, y: 0)
    #expect(view.selection == TextSelection(8, 18))
    desk.mouse(.drag(.left), x: 5, y: 0)
    #expect(view.selection == TextSelection(13, 4))
    desk.mouse(.release(.left), x: 5, y: 0)
  }

  @Test func aDragBeyondTheEdgeScrolls() {
    let view = numbered(20)
    let desk = Desk(StackView(.vertical, [Label("above"), view, Label("below")]), height: 5)
    desk.mouse(.press(.left), x: 0, y: 1)
    desk.mouse(.drag(.left), x: 0, y: 4)
    #expect(place(view) == "3:0")
    #expect(desk.lines == ["above", "line 1", "line 2", "line 3", "below"])
    desk.mouse(.drag(.left), x: 0, y: 0)
    desk.mouse(.drag(.left), x: 0, y: 0)
    #expect(place(view) == "0:0")
    #expect(desk.lines[1] == "line 0")
  }

  // MARK: - Delegate

  @Test func theDelegateIsCalledInOrder() {
    let view = TextView("ab")
    let log = EditingLog()
    view.delegate = log
    let button = Button("other")
    let desk = Desk(StackView(.vertical, [view, button]), focusing: view)
    #expect(log.taken == ["should begin", "did begin"])
    desk.backend.type("x")
    #expect(
      log.taken == ["should change 0:0-0:0 to x", "changed to xab", "selected 0:1"])
    desk.press("right")
    #expect(log.taken == ["do move(RunnelDesk.Movement.right)", "selected 0:2"])
    desk.press("ctrl+home", "left")
    #expect(
      log.taken == [
        "do move(RunnelDesk.Movement.start)", "selected 0:0", "do move(RunnelDesk.Movement.left)",
      ])
    desk.press("delete")
    #expect(
      log.taken == [
        "do delete(RunnelDesk.Movement.right)", "should change 0:0-0:1 to ", "changed to ab",
      ])
    desk.press("backspace")
    #expect(log.taken == ["do delete(RunnelDesk.Movement.left)"])
    desk.press("ctrl+z")
    #expect(
      log.taken == ["do undo", "should change 0:0-0:0 to x", "changed to xab"])
    desk.window.makeFirstResponder(button)
    #expect(log.taken == ["should end", "did end"])
    // Changes by the program do not call the delegate.
    view.text = "new"
    view.selection = TextSelection(0, 3)
    #expect(log.taken == [])
  }

  @Test func everyVetoOfADelegateCounts() {
    let view = TextView("ab")
    let log = EditingLog()
    view.delegate = log
    let button = Button("other")
    log.refused = ["should begin"]
    let desk = Desk(StackView(.vertical, [view, button]), focusing: button)
    desk.click(0, 0)
    #expect(desk.window.firstResponder === button)
    log.refused = ["should end", "should change", "do move(RunnelDesk.Movement.right)"]
    desk.click(0, 0)
    #expect(desk.window.firstResponder === view)
    desk.press("right", "delete", "ctrl+v", "ctrl+z")
    desk.backend.type("x\n\t")
    desk.backend.send(.paste("pasted"))
    desk.press("ctrl+a", "ctrl+x")
    #expect(view.text == "ab")
    #expect(desk.backend.clipboard == "")
    #expect(view.selection == TextSelection(0, 2))
    let isMoved = desk.window.makeFirstResponder(button)
    #expect(!isMoved && view.isFirstResponder)
  }

  @Test func everyVetoOfAHandlerCounts() {
    let view = TextView("ab")
    let button = Button("other")
    let desk = Desk(StackView(.vertical, [view, button]), focusing: button)
    let proxy = view.rDelegate
    let vetoes = [
      proxy.answer(\.textViewShouldBeginEditing) { _ in false },
      proxy.answer(\.textView_shouldChangeTextIn_with) { _, _, text in text != "x" },
      proxy.answer(\.textView_doCommand) { _, command in command == .selectAll },
      proxy.answer(\.textViewShouldEndEditing) { _ in false },
    ]
    desk.click(0, 0)
    #expect(desk.window.firstResponder === button)
    vetoes[0].dispose()
    desk.window.makeFirstResponder(view)
    desk.backend.type("xyx")
    #expect(view.text == "yab")
    desk.press("ctrl+a")
    #expect(view.selection == TextSelection(1, 1))
    desk.window.makeFirstResponder(button)
    #expect(view.isFirstResponder)
    for veto in vetoes { veto.dispose() }
    desk.press("ctrl+a")
    desk.backend.type("x")
    #expect(view.text == "x")
    desk.window.makeFirstResponder(button)
    #expect(button.isFirstResponder)
  }

  @Test func delegateStreamsReceiveAllCalls() {
    let view = TextView()
    let desk = Desk(focusing: view)
    desk.window.makeFirstResponder(nil)
    var heard: [String] = []
    let proxy = view.rDelegate
    proxy.stream(\.textViewDidBeginEditing).observeNext { _ in heard.append("begin") }
    proxy.stream(\.textView_didChangeText).observeNext { view, _ in heard.append(view.text) }
    proxy.stream(\.textViewDidChangeSelection).observeNext {
      heard.append("\($0.selection.head)")
    }
    proxy.stream(\.textViewDidEndEditing).observeNext { _ in heard.append("end") }
    desk.window.makeFirstResponder(view)
    desk.backend.type("a")
    desk.press("left")
    desk.window.makeFirstResponder(nil)
    #expect(heard == ["begin", "a", "0:1", "0:0", "end"])
  }

  @Test func anAskedDelegateMayChangeTheText() {
    let view = TextView("abc")
    let desk = Desk(focusing: view)
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { view, _, text in
      view.text = "other"
      return true
    }
    desk.backend.type("x")
    #expect(view.text == "other")
    desk.press("ctrl+a", "ctrl+x")
    #expect(view.text == "")
    #expect(desk.backend.clipboard == "other")
  }

  @Test func aNotifiedDelegateMayChangeTheText() {
    let view = TextView()
    let desk = Desk(focusing: view)
    view.rDelegate.stream(\.textView_didChangeText).observeNext { view, _ in
      view.text = view.text.uppercased()
    }
    var heard: [String] = []
    view.rx.text.observeNext { heard.append($0) }
    desk.backend.type("ab")
    #expect(view.text == "AB")
    #expect(heard == ["", "A", "AB"])
    #expect(view.selection == TextSelection(2, 2))
  }

  @Test func aNotifiedDelegateMayRemoveTheView() {
    let view = TextView("a")
    let desk = Desk(StackView(.vertical, [view]), focusing: view)
    view.rDelegate.stream(\.textView_didChangeText).observeNext { view, _ in
      view.removeFromSuperview()
    }
    desk.backend.type("xy")
    #expect(view.text == "xa")
    #expect(desk.lines == ["", "", "", ""])
  }

  // MARK: - Streams

  @Test func theTextIsAProperty() {
    let view = TextView("start")
    let desk = Desk(focusing: view)
    let recorder = Recorder(view.rx.text)
    #expect(recorder.elements == ["start"])
    desk.backend.type("x")
    view.text = "by the program"
    desk.press("ctrl+end", "backspace")
    #expect(recorder.elements == ["start", "xstart", "by the progra"])
    let name = PushStream<String>()
    name.bind(to: view.rx.text)
    name.next("bound")
    #expect(view.text == "bound")
    #expect(recorder.elements.count == 3)
  }

  @Test func theSelectionIsAProperty() {
    let view = TextView("start")
    let desk = Desk(focusing: view)
    let recorder = Recorder(view.rx.selection)
    #expect(recorder.elements == [.start])
    desk.press("right", "shift+right")
    desk.backend.type("x")
    #expect(
      recorder.elements.dropFirst() == [
        TextSelection(1, 1), TextSelection(1, 2), TextSelection(2, 2),
      ])
    view.rx.selection.send(TextSelection(0, 1))
    #expect(view.selection == TextSelection(0, 1))
    #expect(recorder.elements.count == 4)
  }

  @Test func eventsHaveNoInitialValueAndComplete() {
    var view: TextView? = TextView("a")
    weak let gone = view
    guard
      let events = view.map({ view in
        [view.rx.didChange.stream, view.rx.didBeginEditing.stream, view.rx.didEndEditing.stream]
      }), let text = view?.rx.text, let selection = view?.rx.selection
    else { return }
    let recorders = events.map { Recorder($0) }
    let (texts, selections) = (Recorder(text), Recorder(selection))
    #expect(recorders.map(\.events.count) == [0, 0, 0])
    do {
      let desk = Desk(focusing: view ?? TextView())
      desk.backend.type("b")
      desk.window.makeFirstResponder(nil)
      #expect(recorders.map(\.elements.count) == [1, 1, 1])
      desk.window.content = View()
    }
    view = nil
    #expect(gone == nil)
    #expect(recorders.map(\.isCompleted) == [true, true, true])
    #expect(texts.isCompleted && selections.isCompleted)
    #expect(texts.elements == ["a", "ba"])
    // A late observer receives the completion.
    #expect(Recorder(text).isCompleted)
  }

  @Test func propertiesCanBeSetByStreams() {
    let view = TextView("a")
    let desk = Desk(focusing: view)
    let isOpen = Property(false)
    isOpen.bind(to: view.rx.isEditable)
    desk.backend.type("x")
    #expect(view.text == "a")
    isOpen.value = true
    desk.backend.type("x")
    #expect(view.text == "xa")
  }

  // MARK: - Backend input

  /// A terminal may send a click before it has drawn the effect of earlier keys.
  @Test func aClickMayArriveBeforeARedraw() {
    let view = numbered(50)
    let desk = Desk(focusing: view, width: 12, height: 10)
    _ = desk.lines
    view.text = "one\ntwo"
    desk.application.handle(.mouse(MouseEvent(.press(.left), at: Point(x: 2, y: 7))))
    #expect(place(view) == "1:3")
    desk.application.handle(.mouse(MouseEvent(.wheel(.down), at: Point(x: 2, y: 7))))
    view.text = ""
    desk.application.handle(.mouse(MouseEvent(.drag(.left), at: Point(x: 2, y: 9))))
    desk.application.handle(.key(KeyPress(.pageDown)))
    #expect(place(view) == "0:0")
    #expect(desk.lines.first == "")
  }

  @Test func aHighlightClosureMayChangeTheText() {
    let view = numbered(50)
    let desk = Desk(focusing: view, width: 12, height: 3)
    view.highlights = { [weak view] _, _ in
      view?.text = "x"
      return []
    }
    _ = desk.lines
    view.highlights = { _, _ in [] }
    #expect(desk.lines == ["x", "", ""])
  }

  // MARK: - Large texts and random keys

  /// 10 MB of text: the work for one key must not be done for every line.
  @Test func aLongTextCanBeShownAndEditedAnywhere() {
    let line = "The quick brown fox jumps over the lazy dog. 0123\n"
    let view = TextView(String(repeating: line, count: 200_000))
    let desk = Desk(focusing: view, width: 40, height: 10)
    for position in [100_000, 3, 199_999] {
      view.selection = TextSelection(caret: TextPosition(line: position, offset: 4))
      for _ in 0..<20 {
        desk.backend.type("x")
        #expect(desk.lines.contains { $0.contains("x") })
      }
      desk.press("pagedown", "pageup", "ctrl+z")
    }
    #expect(view.document.utf8Count == 10_000_000)
  }

  /// After any keys, the caret is visible, and the screen equals that of a new view in the same
  /// state.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomKeysKeepTheScreenConsistent(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let view = TextView()
    view.wrapsLines = seed % 2 == 0
    let desk = Desk(focusing: view, width: 12, height: 5)
    let names = [
      "left", "right", "up", "down", "home", "end", "pageup", "pagedown", "ctrl+left", "ctrl+right",
      "ctrl+home", "ctrl+end", "shift+down", "shift+ctrl+left", "shift+end", "backspace", "delete",
      "ctrl+w", "ctrl+k", "ctrl+u", "alt+d", "ctrl+z", "ctrl+y", "ctrl+x", "ctrl+v",
      "enter",
    ]
    for step in 0..<600 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: desk.press(names.randomElement(using: &random) ?? "left")
      case 5: desk.backend.send(.paste(RandomText.text(atMost: 9, using: &random)))
      case 6:
        desk.click(.random(in: 0..<12, using: &random), .random(in: 0..<5, using: &random))
      default:
        guard let scalar = RandomText.piece(using: &random).unicodeScalars.first,
          scalar.value >= 0x20
        else { continue }
        desk.backend.send(.key(KeyPress(.character(Character(scalar)))))
      }
      let shown = desk.backend.grid
      #expect(shown.cursor != nil, "seed \(seed), step \(step)")
      // Without wrapping, the horizontal scroll offset depends on earlier keys.
      if !view.wrapsLines { continue }
      let fresh = TextView(view.text)
      let other = Desk(focusing: fresh, width: 12, height: 5)
      fresh.selection = view.selection
      fresh.top = view.top
      #expect(other.styled == shown.styledText, "seed \(seed), step \(step)")
      if other.styled != shown.styledText { return }
    }
  }

  // MARK: Release and undo

  @Test func replacedHighlightsAreReleasedLast() {
    let view = TextView("text")
    var count = 9
    func release(_ view: TextView?) { count = view?.highlights(0, "text").count ?? 9 }
    do {
      let object = Releasing { [weak view] in release(view) }
      view.highlights = { _, line in
        withExtendedLifetime(object) { [TextHighlight(line.startIndex..<line.endIndex)] }
      }
    }
    view.highlights = { _, _ in [] }
    #expect(count == 0)
  }

  /// Another document may have the same text.
  @Test func clearedHistoryCannotBeUndone() {
    let view = TextView("tex")
    let desk = Desk(focusing: view, width: 12, height: 5)
    desk.press("end")
    desk.backend.type("t")
    view.text = "text"
    view.clearUndoHistory()
    #expect(!view.perform(.undo) && view.text == "text")
    desk.backend.type("!")
    #expect(view.perform(.undo) && view.text == "text")
    view.clearUndoHistory()
    #expect(!view.perform(.redo) && view.text == "text")
  }
}
