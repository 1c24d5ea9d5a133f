import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TextFieldTests {
  // MARK: - Display

  @Test func showsTheTextAndTheCaret() {
    let field = TextField("milk")
    let desk = Desk(focusing: field, width: 8, height: 1)
    #expect(desk.styled == "milk\n----\naaaaaaaa\na: underline\ncursor: (4, 0)")
    desk.press("ctrl+a")
    #expect(
      desk.styled == """
        milk
        ----
        aaaabbbb
        a: brightWhite on blue
        b: underline
        cursor: (4, 0)
        """)
    field.isEnabled = false
    #expect(desk.cursor == nil)
    #expect(desk.styled.contains("reverse"))
  }

  @Test func occupiesOneRow() {
    let field = TextField("a\nb")
    #expect(field.text == "a b")
    let desk = Desk(StackView(.vertical, [Label("Name"), field, Label("below")]), height: 4)
    #expect(desk.lines == ["Name", "a b", "below", ""])
  }

  @Test func showsAPlaceholderWithoutText() {
    let field = TextField(placeholder: "Search or create")
    let desk = Desk(focusing: field, width: 12, height: 1)
    #expect(
      desk.styled == "Search or c…\n----\naaaaaaaaaaaa\na: underline brightBlack\ncursor: (0, 0)")
    desk.backend.type("x")
    #expect(desk.lines == ["x"])
    desk.press("backspace")
    #expect(desk.lines == ["Search or c…"])
    field.rx.placeholder.send("Find")
    #expect(desk.lines == ["Find"])
  }

  @Test func scrollsHorizontally() {
    let field = TextField()
    let desk = Desk(focusing: field, width: 6, height: 1)
    desk.backend.type("abcdefgh")
    #expect(desk.lines == ["defgh"])
    #expect(desk.cursor == Point(x: 5, y: 0))
    desk.press("left", "left", "left", "left")
    #expect(desk.lines == ["defgh"])
    desk.press("left", "left")
    #expect(desk.lines == ["cdefgh"])
    #expect(desk.cursor == Point(x: 0, y: 0))
    desk.press("end", "backspace", "backspace")
    // The available width is used.
    #expect(desk.lines == ["bcdef"])
    desk.press("ctrl+u")
    #expect(desk.lines == [""])
  }

  @Test func highlightsMatches() {
    let field = TextField("one two")
    let desk = Desk(focusing: field, width: 8, height: 1)
    field.highlights = { text in text.ranges(of: "two").map { TextHighlight($0) } }
    #expect(desk.styled.contains("aaaabbba"))
    #expect(desk.styled.contains("b: black on yellow"))
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 3), (0, 5), (5, 0)])
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    let field = TextField("one 世界")
    let desk = Desk(focusing: field, width: width, height: height)
    for _ in 0..<9 { desk.press("left") }
    desk.click(0, 0)
    desk.backend.type("x")
    desk.press("end")
    _ = desk.styled
    #expect(field.text == "xone 世界")
  }

  // MARK: - Focus

  @Test(arguments: ["tab", "backtab"])
  func selectsAllWhenTheFocusEntersInOrder(key: String) {
    let field = TextField("one two")
    let log = EditingLog()
    let desk = Desk(StackView(.vertical, [field, Button("OK")]))
    field.delegate = log
    desk.press("tab")
    #expect(field.selection == TextSelection(0, 7))
    #expect(log.taken == ["should begin", "did begin", "selected 0:7"])
    desk.backend.type("x")
    #expect(field.text == "x")
    desk.press("tab")
    field.text = "more"
    _ = log.taken
    desk.press(key)
    #expect(field.selection == TextSelection(0, 4))
    desk.press(key, "left", "up")
    desk.window.moveFocus(forward: true)
    #expect(field.isFirstResponder && field.selection == TextSelection(0, 4))
  }

  @Test func otherFocusChangesKeepTheSelection() {
    let field = TextField("one two")
    let desk = Desk(StackView(.vertical, [Button("OK"), field]))
    desk.window.makeFirstResponder(field)
    #expect(field.selection == TextSelection(7, 7))
    desk.press("tab")
    desk.click(2, 1)
    #expect(field.isFirstResponder && field.selection == TextSelection(2, 2))
  }

  @Test func theDelegateMayChooseTheEnteringSelection() {
    let field = TextField("one two")
    let desk = Desk(StackView(.vertical, [Button("OK"), field]))
    field.rDelegate.stream(\.textFieldDidBeginEditing).observeNext {
      $0.selection = TextSelection(3, 3)
    }
    desk.press("tab", "tab")
    #expect(field.isFirstResponder && field.selection == TextSelection(3, 3))
  }

  @Test func aFieldRemovedByAnEnteringFocusIsNotReported() {
    let field = TextField("one two")
    let desk = Desk(StackView(.vertical, [Button("OK"), field]))
    field.rDelegate.stream(\.textFieldDidBeginEditing).observeNext { $0.removeFromSuperview() }
    desk.press("tab", "tab")
    #expect(!field.isFirstResponder)
    #expect(desk.text == "       [ OK ]")
  }

  // MARK: - Binding

  @Test func isBoundInBothDirectionsInOneLine() {
    let name = Property("Emma")
    let field = TextField()
    let desk = Desk(focusing: field)
    field.rx.text.bindTwoWay(to: name)
    #expect(desk.text == "Emma")
    desk.press("end")
    desk.backend.type("!")
    #expect(name.value == "Emma!")
    name.value = "Dune"
    desk.press("end", "backspace")
    #expect(name.value == "Dun")
  }

  // MARK: - Editing

  @Test func canBeEditedWithKeysAndMouse() {
    let field = TextField("one two")
    let desk = Desk(StackView(.vertical, [field, Button("OK")]), focusing: field)
    desk.backend.type("!")
    desk.press("ctrl+left")
    desk.backend.type("2 ")
    #expect(field.text == "one 2 two!")
    desk.click(1, 0, times: 2)
    desk.press("ctrl+c", "delete")
    #expect(field.text == " 2 two!")
    desk.backend.send(.paste("a\nb"))
    #expect(field.text == "a b 2 two!")
    desk.press("ctrl+z", "ctrl+z", "ctrl+v")
    #expect(field.text == "one 2 two!")
    desk.press("up", "shift+down")
    #expect(field.selection == TextSelection(0, 10))
    desk.mouse(.press(.left), x: 2, y: 0)
    desk.mouse(.drag(.left), x: 4, y: 3)
    #expect(field.selection == TextSelection(2, 4))
    desk.mouse(.drag(.left), x: -9, y: -3)
    #expect(field.selection == TextSelection(2, 0))
    desk.mouse(.release(.left), x: 0, y: 0)
    desk.click(15, 0, times: 3)
    #expect(field.selection == TextSelection(0, 10))
  }

  /// Unhandled keys reach the superview.
  @Test func unhandledKeysReachTheSuperview() {
    let field = TextField("a")
    let outer = KeyLog([field])
    let desk = Desk(outer, focusing: field)
    let keys = [
      "tab", "backtab", "escape", "enter", "ctrl+z", "ctrl+c", "ctrl+space", "f5", "pageup",
      "pagedown",
    ]
    for key in keys { desk.press(key) }
    #expect(outer.keys == keys)
    outer.keys = []
    desk.press("left", "backspace", "delete", "ctrl+z", "ctrl+v", "ctrl+a")
    desk.backend.type("x")
    #expect(outer.keys == [])
    field.isEditable = false
    desk.press("backspace", "left", "ctrl+v", "x")
    #expect(outer.keys == ["backspace", "ctrl+v", "x"])
    #expect(field.text == "x")
  }

  @Test func returnSubmitsAndPressesTheDefaultButton() {
    let field = TextField("a")
    let log = EditingLog()
    field.delegate = log
    let button = Button("OK")
    let desk = Desk(StackView(.vertical, [field, button]), focusing: field)
    let submitted = Recorder(field.rx.submit)
    _ = log.taken
    desk.press("enter")
    #expect(log.taken == ["do insertNewline", "submit a"])
    var presses = 0
    button.rx.tap.observeNext { presses += 1 }
    desk.window.defaultButton = button
    desk.press("enter")
    #expect(presses == 1)
    #expect(submitted.elements == ["a", "a"])
    // A delegate that handles the command handles all of it.
    log.refused = ["do insertNewline"]
    desk.press("enter")
    #expect(presses == 1)
    #expect(submitted.elements.count == 2)
    #expect(field.text == "a")
  }

  // MARK: - Completion

  private func completing(
    _ names: [String], width: Int = 20
  ) -> (field: TextField, desk: Desk) {
    let field = TextField()
    field.rDelegate.answer(\.textField_completionFor) { _, text in
      names.first { $0.lowercased().hasPrefix(text.lowercased()) }
    }
    return (field, Desk(focusing: field, width: width, height: 1))
  }

  @Test func theCompletionAppearsAfterTheCaret() {
    let (field, desk) = completing(["Shopping list", "Shops"])
    desk.backend.type("sho")
    #expect(field.completion == "Shopping list")
    #expect(
      desk.styled == """
        shopping list
        ----
        aaabbbbbbbbbbaaaaaaa
        a: underline
        b: underline brightBlack
        cursor: (3, 0)
        """)
    #expect(field.text == "sho")
    desk.backend.type("ps")
    #expect(field.completion == "Shops" || field.completion == nil)
    #expect(desk.lines == ["shops"])
    desk.backend.type("x")
    #expect(field.completion == nil)
  }

  @Test(arguments: ["delete", "backspace"])
  func aDeletionRefusesTheCompletion(_ key: String) {
    let (field, desk) = completing(["Shopping list"])
    desk.backend.type("sho")
    desk.press(key)
    #expect(field.completion == nil && field.text == (key == "delete" ? "sho" : "sh"))
    desk.press("end")
    #expect(field.completion == nil)
  }

  @Test(arguments: ["tab", "right", "end", "ctrl+right", "ctrl+end"])
  func someKeysAcceptTheCompletion(_ key: String) {
    let (field, desk) = completing(["Shopping"])
    let changes = Recorder(field.rx.text)
    desk.backend.type("sh")
    desk.press(key)
    #expect(field.text == "Shopping")
    #expect(field.completion == nil)
    #expect(field.selection == TextSelection(8, 8))
    #expect(changes.elements == ["", "s", "sh", "Shopping"])
    desk.press("ctrl+z")
    #expect(field.text == "sh")
    #expect(field.completion == nil)
  }

  @Test(arguments: ["left", "backspace", "home", "ctrl+w", "shift+left", "ctrl+a", "ctrl+z"])
  func movingOrDeletingDismissesTheCompletion(_ key: String) {
    let (field, desk) = completing(["Shopping"])
    desk.backend.type("sh")
    #expect(field.completion != nil)
    desk.press(key)
    #expect(field.completion == nil)
    desk.press("delete")
    #expect(field.completion == nil)
  }

  @Test func completionIsRequestedAtTheEndOnly() {
    let (field, desk) = completing(["Shopping"])
    field.text = "ho"
    #expect(field.completion == nil)
    desk.press("home")
    desk.backend.type("s")
    #expect(field.completion == nil)
    field.complete()
    #expect(field.completion == nil)
    desk.press("end")
    #expect(field.completion == nil)
    field.complete()
    #expect(field.completion == "Shopping")
    field.text = "sho"
    #expect(field.completion == "Shopping")
    field.text = "sh"
    #expect(field.completion == nil)
    desk.press("ctrl+space")
    #expect(field.completion == "Shopping")
    desk.click(0, 0)
    #expect(field.completion == nil)
    desk.press("end", "ctrl+space")
    #expect(field.completion == "Shopping")
    desk.window.makeFirstResponder(nil)
    #expect(field.completion == nil)
    field.complete()
    #expect(field.completion == nil)
  }

  @Test func aCompletionMustExtendTheText() {
    let field = TextField()
    let desk = Desk(focusing: field)
    for (text, proposal, rest) in [
      ("a", "b", nil), ("a", "a", nil), ("a", "", nil), ("é", "e\u{301}t", "t"),
      ("ß", "SS", nil), ("a", "ab\nc", "b c"),
    ] as [(String, String, String?)] {
      field.text = ""
      let answer = field.rDelegate.answer(\.textField_completionFor) { _, _ in proposal }
      desk.backend.send(.paste(text))
      #expect((field.completion != nil) == (rest != nil), "\(text), \(proposal)")
      if let rest {
        desk.press("tab")
        #expect(field.text == (text == "é" ? "e\u{301}" : text) + rest)
      }
      answer.dispose()
    }
  }

  @Test func theDelegateMayRefuseItsCompletion() {
    let (field, desk) = completing(["Shopping"])
    desk.backend.type("s")
    let veto = field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in
      text.count < 2
    }
    #expect(!field.acceptCompletion())
    desk.press("right")
    #expect(field.text == "s")
    desk.backend.type("h")
    #expect(field.completion == "Shopping")
    veto.dispose()
    #expect(field.acceptCompletion())
    #expect(!field.acceptCompletion())
    #expect(field.text == "Shopping")
  }

  @Test func allObserversOfSubmitGetTheText() {
    let field = TextField("milk")
    let desk = Desk(focusing: field)
    var texts: [String] = []
    field.rx.submit.observeNext { [unowned field] text in
      texts.append(text)
      field.text = ""
    }
    field.rx.submit.observeNext { texts.append($0) }
    desk.press("enter")
    #expect(texts == ["milk", "milk"] && field.text.isEmpty)
  }

  /// The delegate is asked after all observers have the new text, because its answer may depend on
  /// them.
  @Test func theCompletionIsRequestedLast() {
    let field = TextField()
    let log = EditingLog()
    field.delegate = log
    let desk = Desk(focusing: field)
    field.rx.text.changed.observeNext { log.lines.append("stream \($0)") }
    _ = log.taken
    desk.backend.type("a")
    #expect(
      log.taken == [
        "should change 0:0-0:0 to a", "stream a", "changed to a", "selected 0:1", "complete a",
      ])
  }

  // MARK: - Delegate

  @Test func theDelegateIsCalledInOrder() {
    let field = TextField("ab")
    let log = EditingLog()
    field.delegate = log
    let button = Button("other")
    let desk = Desk(StackView(.vertical, [field, button]), focusing: field)
    #expect(log.taken == ["should begin", "did begin"])
    desk.press("left")
    #expect(log.taken == ["do move(RunnelDesk.Movement.left)", "selected 0:1"])
    desk.press("backspace")
    #expect(
      log.taken == [
        "do delete(RunnelDesk.Movement.left)", "should change 0:0-0:1 to ", "changed to b",
        "selected 0:0",
      ])
    desk.press("tab")
    #expect(log.taken == ["do insertTab", "should end", "did end"])
    field.text = "new"
    field.selection = TextSelection(0, 3)
    #expect(log.taken == [])
  }

  @Test func everyVetoOfADelegateCounts() {
    let field = TextField("ab")
    let log = EditingLog()
    field.delegate = log
    let button = Button("other")
    log.refused = ["should begin"]
    let desk = Desk(StackView(.vertical, [field, button]), focusing: button)
    desk.click(0, 0)
    #expect(desk.window.firstResponder === button)
    log.refused = ["should end", "should change", "do move(RunnelDesk.Movement.left)"]
    desk.press("tab", "left", "backspace", "ctrl+v")
    #expect(desk.window.firstResponder === field)
    desk.backend.type("x")
    desk.backend.send(.paste("pasted"))
    desk.press("ctrl+a", "ctrl+x")
    #expect(field.text == "ab")
    #expect(desk.backend.clipboard == "")
    desk.press("tab")
    desk.backend.click("other")
    #expect(field.isFirstResponder)
  }

  @Test func everyVetoOfAHandlerCounts() {
    let field = TextField()
    let button = Button("other")
    let desk = Desk(StackView(.vertical, [field, button]), focusing: button)
    let proxy = field.rDelegate
    let vetoes = [
      proxy.stream(\.textFieldShouldBeginEditing) { (push: PushStream<Void>, _) in
        push.next(())
        return false
      }.observe(),
      proxy.answer(\.textField_shouldChangeTextIn_with) { _, _, text in text != "x" },
      proxy.answer(\.textField_doCommand) { _, command in command == .move(.up) },
      proxy.answer(\.textFieldShouldEndEditing) { _ in false },
    ]
    desk.press("tab")
    #expect(button.isFirstResponder)
    vetoes[0].dispose()
    desk.press("tab")
    desk.backend.type("xyx")
    #expect(field.text == "y")
    desk.press("up")
    #expect(field.selection == TextSelection(1, 1))
    desk.press("tab")
    #expect(field.isFirstResponder)
    vetoes[3].dispose()
    desk.press("tab")
    #expect(button.isFirstResponder)
  }

  /// A search field uses this: arrow keys move the selection of a list below, and the focus stays.
  @Test func aHandlerMayHandleCommands() {
    let field = TextField()
    let desk = Desk(focusing: field)
    var walked = 0
    field.rDelegate.answer(\.textField_doCommand) { _, command in
      switch command {
      case .move(.down): walked += 1
      case .move(.up): walked -= 1
      default: return false
      }
      return true
    }
    desk.backend.type("ab")
    desk.press("down", "down", "up", "left")
    #expect(walked == 1)
    #expect(field.selection == TextSelection(1, 1))
  }

  @Test func delegateStreamsReceiveAllCalls() {
    let field = TextField()
    let desk = Desk(focusing: field)
    desk.window.makeFirstResponder(nil)
    var heard: [String] = []
    let proxy = field.rDelegate
    proxy.stream(\.textFieldDidBeginEditing).observeNext { _ in heard.append("begin") }
    proxy.stream(\.textField_didChangeText).observeNext { field, _ in heard.append(field.text) }
    proxy.stream(\.textFieldDidChangeSelection).observeNext {
      heard.append("\($0.selection.head)")
    }
    proxy.stream(\.textField_didSubmit).observeNext { _ in heard.append("submit") }
    proxy.stream(\.textFieldDidEndEditing).observeNext { _ in heard.append("end") }
    desk.window.makeFirstResponder(field)
    desk.backend.type("a\n")
    desk.press("left")
    desk.window.makeFirstResponder(nil)
    #expect(heard == ["begin", "a", "0:1", "submit", "0:0", "end"])
  }

  // MARK: - Streams

  @Test func theTextAndTheSelectionAreProperties() {
    let field = TextField("ab")
    let desk = Desk(focusing: field)
    let texts = Recorder(field.rx.text)
    let selections = Recorder(field.rx.selection)
    let changes = Recorder(field.rx.didChange)
    desk.backend.type("c")
    field.text = "other"
    desk.press("home", "delete")
    #expect(texts.elements == ["ab", "abc", "ther"])
    #expect(
      selections.elements == [TextSelection(2, 2), TextSelection(3, 3), TextSelection(0, 0)])
    #expect(changes.elements.count == 2)
    field.rx.text.send("sent")
    field.rx.selection.send(TextSelection(1, 2))
    #expect(field.text == "sent")
    #expect(field.selection == TextSelection(1, 2))
    #expect(texts.elements.count == 3)
    Property(false).bind(to: field.rx.isEditable)
    desk.backend.type("x")
    #expect(field.text == "sent")
  }

  @Test func bindsBothWaysToAProperty() {
    let field = TextField()
    let desk = Desk(focusing: field)
    let query = Property("start")
    query.bind(to: field.rx.text)
    field.rx.text.changed.observeNext { query.value = $0 }
    #expect(field.text == "start")
    desk.press("end")
    desk.backend.type("!")
    #expect(query.value == "start!")
    query.value = "set"
    #expect(field.text == "set")
    #expect(desk.lines.first == "set")
  }

  @Test func eventsHaveNoInitialValueAndComplete() {
    var field: TextField? = TextField("a")
    weak let gone = field
    guard let shown = field else { return }
    let events = [
      shown.rx.didChange.stream, shown.rx.didBeginEditing.stream, shown.rx.didEndEditing.stream,
    ].map { Recorder($0) }
    let submitted = Recorder(shown.rx.submit)
    let texts = Recorder(shown.rx.text)
    let told = Recorder(
      shown.rDelegate.stream(\.textField_didChangeText).map { field, _ in field.text })
    #expect(events.map(\.events.count) == [0, 0, 0])
    #expect(submitted.events.isEmpty)
    do {
      let desk = Desk(focusing: shown)
      desk.backend.type("b\n")
      desk.window.makeFirstResponder(nil)
      desk.window.content = View()
    }
    #expect(events.map(\.elements.count) == [1, 1, 1])
    _ = consume shown
    field = nil
    #expect(gone == nil)
    #expect(events.map(\.isCompleted) == [true, true, true])
    #expect(submitted.isCompleted && texts.isCompleted && told.isCompleted)
    #expect(submitted.elements == ["ab"])
    #expect(told.elements == ["ab"])
  }

  @Test func replacedHighlightsAreReleasedLast() {
    let field = TextField()
    var count = 9
    func release(_ field: TextField?) { count = field?.highlights("text").count ?? 9 }
    do {
      let object = Releasing { [weak field] in release(field) }
      field.highlights = { text in
        withExtendedLifetime(object) { [TextHighlight(text.startIndex..<text.endIndex)] }
      }
    }
    field.highlights = { _ in [] }
    #expect(count == 0)
  }
}

/// A view around another one that logs the keys that reach it.
@MainActor
private final class KeyLog: View {
  var keys: [String] = []

  init(_ views: [View]) {
    super.init()
    for view in views { addSubview(view) }
  }

  override func keyDown(_ press: KeyPress) -> Bool {
    keys.append("\(press)")
    return true
  }
}
