import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TextFieldTests {
  // MARK: - Showing

  @Test func showsTheTextAndTheCaret() {
    let field = TextField("milk")
    let stage = Stage(field, width: 8, height: 1)
    #expect(stage.styled == "milk\n----\naaaaaaaa\na: underline\ncursor: (4, 0)")
    stage.press("ctrl+a")
    #expect(
      stage.styled == """
        milk
        ----
        aaaabbbb
        a: brightWhite on blue
        b: underline
        cursor: (4, 0)
        """)
    field.isEnabled = false
    #expect(stage.cursor == nil)
    #expect(stage.styled.contains("reverse"))
  }

  @Test func takesOneRow() {
    let field = TextField("a\nb")
    #expect(field.text == "a b")
    let stage = Stage(StackView(.vertical, [Label("Name"), field, Label("below")]), height: 4)
    #expect(stage.lines == ["Name", "a b", "below", ""])
  }

  @Test func showsAPlaceholderWhileThereIsNoText() {
    let field = TextField(placeholder: "Search or create")
    let stage = Stage(field, width: 12, height: 1)
    #expect(
      stage.styled == "Search or c…\n----\naaaaaaaaaaaa\na: underline brightBlack\ncursor: (0, 0)")
    stage.backend.type("x")
    #expect(stage.lines == ["x"])
    stage.press("backspace")
    #expect(stage.lines == ["Search or c…"])
    field.rx.placeholder.send("Find")
    #expect(stage.lines == ["Find"])
  }

  @Test func scrollsToTheSide() {
    let field = TextField()
    let stage = Stage(field, width: 6, height: 1)
    stage.backend.type("abcdefgh")
    #expect(stage.lines == ["defgh"])
    #expect(stage.cursor == Point(x: 5, y: 0))
    stage.press("left", "left", "left", "left")
    #expect(stage.lines == ["defgh"])
    stage.press("left", "left")
    #expect(stage.lines == ["cdefgh"])
    #expect(stage.cursor == Point(x: 0, y: 0))
    stage.press("end", "backspace", "backspace")
    // What there is room for is shown.
    #expect(stage.lines == ["bcdef"])
    stage.press("ctrl+u")
    #expect(stage.lines == [""])
  }

  @Test func highlightsWhatTheProgramSays() {
    let field = TextField("one two")
    let stage = Stage(field, width: 8, height: 1)
    field.highlights = { text in text.ranges(of: "two").map { TextHighlight($0) } }
    #expect(stage.styled.contains("aaaabbba"))
    #expect(stage.styled.contains("b: black on yellow"))
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 3), (0, 5), (5, 0)])
  func mayHaveLittleRoom(_ width: Int, _ height: Int) {
    let field = TextField("one 世界")
    let stage = Stage(field, width: width, height: height)
    for _ in 0..<9 { stage.press("left") }
    stage.click(0, 0)
    stage.backend.type("x")
    stage.press("end")
    _ = stage.styled
    #expect(field.text == "xone 世界")
  }

  // MARK: - Editing

  @Test func isEditedWithKeysAndTheMouse() {
    let field = TextField("one two")
    let stage = Stage(StackView(.vertical, [field, Button("OK")]), focusing: field)
    stage.backend.type("!")
    stage.press("ctrl+left")
    stage.backend.type("2 ")
    #expect(field.text == "one 2 two!")
    stage.click(1, 0, times: 2)
    stage.press("ctrl+c", "delete")
    #expect(field.text == " 2 two!")
    stage.backend.send(.paste("a\nb"))
    #expect(field.text == "a b 2 two!")
    stage.press("ctrl+z", "ctrl+z", "ctrl+v")
    #expect(field.text == "one 2 two!")
    stage.press("up", "shift+down")
    #expect(field.selection == TextSelection(0, 10))
    stage.mouse(.press(.left), 2, 0)
    stage.mouse(.drag(.left), 4, 3)
    #expect(field.selection == TextSelection(2, 4))
    stage.mouse(.drag(.left), -9, -3)
    #expect(field.selection == TextSelection(2, 0))
    stage.mouse(.release(.left), 0, 0)
    stage.click(15, 0, times: 3)
    #expect(field.selection == TextSelection(0, 10))
  }

  /// What it has no use for is for others.
  @Test func keysThatItHasNoUseForGoOn() {
    let field = TextField("a")
    let outer = KeyLog([field])
    let stage = Stage(outer, focusing: field)
    stage.press("tab", "backtab", "escape", "enter", "ctrl+z", "ctrl+c", "ctrl+space", "f5")
    #expect(
      outer.keys == [
        "tab", "backtab", "escape", "enter", "ctrl+z", "ctrl+c", "ctrl+space", "f5",
      ])
    outer.keys = []
    stage.press("left", "backspace", "delete", "ctrl+z", "ctrl+v", "ctrl+a")
    stage.backend.type("x")
    #expect(outer.keys == [])
    field.isEditable = false
    stage.press("backspace", "left", "ctrl+v", "x")
    #expect(outer.keys == ["backspace", "ctrl+v", "x"])
    #expect(field.text == "x")
  }

  @Test func returnSubmitsAndPressesTheDefaultButton() {
    let field = TextField("a")
    let log = TextFieldLog()
    field.delegate = log
    let button = Button("OK")
    let stage = Stage(StackView(.vertical, [field, button]), focusing: field)
    let submitted = Recorder(field.rx.submit)
    _ = log.taken
    stage.press("enter")
    #expect(log.taken == ["do insertNewline", "submit a"])
    var presses = 0
    button.rx.tap.observeNext { presses += 1 }
    stage.window.defaultButton = button
    stage.press("enter")
    #expect(presses == 1)
    #expect(submitted.elements == ["a", "a"])
    // Who has done the command has done all of it.
    log.refused = ["do insertNewline"]
    stage.press("enter")
    #expect(presses == 1)
    #expect(submitted.elements.count == 2)
    #expect(field.text == "a")
  }

  // MARK: - Completion

  private func completing(
    _ names: [String], width: Int = 20
  ) -> (field: TextField, stage: Stage) {
    let field = TextField()
    field.rDelegate.answer(\.textField_completionFor) { _, text in
      names.first { $0.lowercased().hasPrefix(text.lowercased()) }
    }
    return (field, Stage(field, width: width, height: 1))
  }

  @Test func whatIsProposedStandsBehindTheCaret() {
    let (field, stage) = completing(["Shopping list", "Shops"])
    stage.backend.type("sho")
    #expect(field.completion == "Shopping list")
    #expect(
      stage.styled == """
        shopping list
        ----
        aaabbbbbbbbbbaaaaaaa
        a: underline
        b: underline brightBlack
        cursor: (3, 0)
        """)
    #expect(field.text == "sho")
    stage.backend.type("ps")
    #expect(field.completion == "Shops" || field.completion == nil)
    #expect(stage.lines == ["shops"])
    stage.backend.type("x")
    #expect(field.completion == nil)
  }

  @Test(arguments: ["tab", "right", "end", "ctrl+right", "ctrl+end"])
  func someKeysAcceptIt(_ key: String) {
    let (field, stage) = completing(["Shopping"])
    let changes = Recorder(field.rx.text)
    stage.backend.type("sh")
    stage.press(key)
    #expect(field.text == "Shopping")
    #expect(field.completion == nil)
    #expect(field.selection == TextSelection(8, 8))
    #expect(changes.elements == ["", "s", "sh", "Shopping"])
    stage.press("ctrl+z")
    #expect(field.text == "sh")
    #expect(field.completion == nil)
  }

  @Test(arguments: ["left", "backspace", "home", "ctrl+w", "shift+left", "ctrl+a", "ctrl+z"])
  func whoGoesOrDeletesDoesNotWantIt(_ key: String) {
    let (field, stage) = completing(["Shopping"])
    stage.backend.type("sh")
    #expect(field.completion != nil)
    stage.press(key)
    #expect(field.completion == nil)
    stage.press("delete")
    #expect(field.completion == nil)
  }

  @Test func isAskedForAtTheEndOnly() {
    let (field, stage) = completing(["Shopping"])
    field.text = "ho"
    #expect(field.completion == nil)
    stage.press("home")
    stage.backend.type("s")
    #expect(field.completion == nil)
    field.complete()
    #expect(field.completion == nil)
    stage.press("end")
    #expect(field.completion == nil)
    field.complete()
    #expect(field.completion == "Shopping")
    field.text = "sho"
    #expect(field.completion == "Shopping")
    field.text = "sh"
    #expect(field.completion == nil)
    stage.press("ctrl+space")
    #expect(field.completion == "Shopping")
    stage.click(0, 0)
    #expect(field.completion == nil)
    stage.press("end", "ctrl+space")
    #expect(field.completion == "Shopping")
    stage.window.makeFirstResponder(nil)
    #expect(field.completion == nil)
    field.complete()
    #expect(field.completion == nil)
  }

  @Test func whatDoesNotBeginWithTheTextIsNoCompletion() {
    let field = TextField()
    let stage = Stage(field)
    for (text, proposal, rest) in [
      ("a", "b", nil), ("a", "a", nil), ("a", "", nil), ("é", "e\u{301}t", "t"),
      ("ß", "SS", nil), ("a", "ab\nc", "b c"),
    ] as [(String, String, String?)] {
      field.text = ""
      let answer = field.rDelegate.answer(\.textField_completionFor) { _, _ in proposal }
      stage.backend.send(.paste(text))
      #expect((field.completion != nil) == (rest != nil), "\(text), \(proposal)")
      if let rest {
        stage.press("tab")
        #expect(field.text == (text == "é" ? "e\u{301}" : text) + rest)
      }
      answer.dispose()
    }
  }

  @Test func theDelegateMayRefuseWhatItProposed() {
    let (field, stage) = completing(["Shopping"])
    stage.backend.type("s")
    let veto = field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in
      text.count < 2
    }
    #expect(!field.acceptCompletion())
    stage.press("right")
    #expect(field.text == "s")
    stage.backend.type("h")
    #expect(field.completion == "Shopping")
    veto.dispose()
    #expect(field.acceptCompletion())
    #expect(!field.acceptCompletion())
    #expect(field.text == "Shopping")
  }

  /// The delegate is asked when everybody knows the new text: what it proposes may depend on that.
  @Test func isAskedForLast() {
    let field = TextField()
    let log = TextFieldLog()
    field.delegate = log
    let stage = Stage(field)
    field.rx.text.changed.observeNext { log.lines.append("stream \($0)") }
    _ = log.taken
    stage.backend.type("a")
    #expect(
      log.taken == [
        "should change 0:0-0:0 to a", "changed to a", "stream a", "selected 0:1", "complete a",
      ])
  }

  // MARK: - Delegate

  @Test func theDelegateIsToldAndAskedInOrder() {
    let field = TextField("ab")
    let log = TextFieldLog()
    field.delegate = log
    let button = Button("other")
    let stage = Stage(StackView(.vertical, [field, button]), focusing: field)
    #expect(log.taken == ["should begin", "did begin"])
    stage.press("left")
    #expect(log.taken == ["do move(RunnelDesk.Movement.left)", "selected 0:1"])
    stage.press("backspace")
    #expect(
      log.taken == [
        "do delete(RunnelDesk.Movement.left)", "should change 0:0-0:1 to ", "changed to b",
        "selected 0:0",
      ])
    stage.press("tab")
    #expect(log.taken == ["do insertTab", "should end", "did end"])
    field.text = "new"
    field.selection = TextSelection(0, 3)
    #expect(log.taken == [])
  }

  @Test func everyVetoOfADelegateCounts() {
    let field = TextField("ab")
    let log = TextFieldLog()
    field.delegate = log
    let button = Button("other")
    log.refused = ["should begin"]
    let stage = Stage(StackView(.vertical, [field, button]), focusing: button)
    stage.click(0, 0)
    #expect(stage.window.firstResponder === button)
    log.refused = ["should end", "should change", "do move(RunnelDesk.Movement.left)"]
    stage.press("tab", "left", "backspace", "ctrl+v")
    #expect(stage.window.firstResponder === field)
    stage.backend.type("x")
    stage.backend.send(.paste("pasted"))
    stage.press("ctrl+a", "ctrl+x")
    #expect(field.text == "ab")
    #expect(stage.backend.clipboard == "")
    stage.press("tab")
    stage.backend.click("other")
    #expect(field.isFirstResponder)
  }

  @Test func everyVetoOfAStreamCounts() {
    let field = TextField()
    let button = Button("other")
    let stage = Stage(StackView(.vertical, [field, button]), focusing: button)
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
    stage.press("tab")
    #expect(button.isFirstResponder)
    vetoes[0].dispose()
    stage.press("tab")
    stage.backend.type("xyx")
    #expect(field.text == "y")
    stage.press("up")
    #expect(field.selection == TextSelection(1, 1))
    stage.press("tab")
    #expect(field.isFirstResponder)
    vetoes[3].dispose()
    stage.press("tab")
    #expect(button.isFirstResponder)
  }

  /// What a search field is for: arrows walk the list below, and the focus stays.
  @Test func aStreamMayDoCommands() {
    let field = TextField()
    let stage = Stage(field)
    var walked = 0
    field.rDelegate.answer(\.textField_doCommand) { _, command in
      switch command {
      case .move(.down): walked += 1
      case .move(.up): walked -= 1
      default: return false
      }
      return true
    }
    stage.backend.type("ab")
    stage.press("down", "down", "up", "left")
    #expect(walked == 1)
    #expect(field.selection == TextSelection(1, 1))
  }

  @Test func streamsOfTheDelegateHearOfEverything() {
    let field = TextField()
    let stage = Stage(field)
    stage.window.makeFirstResponder(nil)
    var heard: [String] = []
    let proxy = field.rDelegate
    proxy.stream(\.textFieldDidBeginEditing).observeNext { _ in heard.append("begin") }
    proxy.stream(\.textFieldDidChangeText).observeNext { heard.append($0.text) }
    proxy.stream(\.textFieldDidChangeSelection).observeNext {
      heard.append("\($0.selection.head)")
    }
    proxy.stream(\.textFieldDidSubmit).observeNext { _ in heard.append("submit") }
    proxy.stream(\.textFieldDidEndEditing).observeNext { _ in heard.append("end") }
    stage.window.makeFirstResponder(field)
    stage.backend.type("a\n")
    stage.press("left")
    stage.window.makeFirstResponder(nil)
    #expect(heard == ["begin", "a", "0:1", "submit", "0:0", "end"])
  }

  // MARK: - Streams

  @Test func theTextAndTheSelectionAreProperties() {
    let field = TextField("ab")
    let stage = Stage(field)
    let texts = Recorder(field.rx.text)
    let selections = Recorder(field.rx.selection)
    let changes = Recorder(field.rx.didChange)
    stage.backend.type("c")
    field.text = "other"
    stage.press("home", "delete")
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
    stage.backend.type("x")
    #expect(field.text == "sent")
  }

  @Test func followsAPropertyAndIsFollowed() {
    let field = TextField()
    let stage = Stage(field)
    let query = Property("start")
    query.bind(to: field.rx.text)
    field.rx.text.changed.observeNext { query.value = $0 }
    #expect(field.text == "start")
    stage.press("end")
    stage.backend.type("!")
    #expect(query.value == "start!")
    query.value = "set"
    #expect(field.text == "set")
    #expect(stage.lines.first == "set")
  }

  @Test func eventsHaveNoInitialValueAndCompleteWithTheField() {
    var field: TextField? = TextField("a")
    weak let gone = field
    guard let shown = field else { return }
    let events = [
      shown.rx.didChange.stream, shown.rx.didBeginEditing.stream, shown.rx.didEndEditing.stream,
    ].map { Recorder($0) }
    let submitted = Recorder(shown.rx.submit)
    let texts = Recorder(shown.rx.text)
    let told = Recorder(shown.rDelegate.stream(\.textFieldDidChangeText).map { $0.text })
    #expect(events.map(\.events.count) == [0, 0, 0])
    #expect(submitted.events.isEmpty)
    do {
      let stage = Stage(shown)
      stage.backend.type("b\n")
      stage.window.makeFirstResponder(nil)
      stage.window.content = View()
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
}

/// A view around another one that writes down the keys that get to it.
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

/// Writes down what it is told and asked.
@MainActor
private final class TextFieldLog: TextFieldDelegate {
  /// The beginnings of what it says no to, or yes where that is a command.
  var refused: [String] = []
  var lines: [String] = []

  /// What came since the last time.
  var taken: [String] {
    defer { lines = [] }
    return lines
  }

  private func isAllowed(_ line: String) -> Bool {
    lines.append(line)
    return !refused.contains { line.hasPrefix($0) }
  }

  func textFieldShouldBeginEditing(_ field: TextField) -> Bool { isAllowed("should begin") }
  func textFieldDidBeginEditing(_ field: TextField) { lines.append("did begin") }
  func textField(
    _ field: TextField, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool {
    isAllowed("should change \(range.lowerBound)-\(range.upperBound) to \(replacement)")
  }
  func textFieldDidChangeText(_ field: TextField) { lines.append("changed to \(field.text)") }
  func textFieldDidChangeSelection(_ field: TextField) {
    lines.append("selected \(field.selection.head)")
  }
  func textFieldShouldEndEditing(_ field: TextField) -> Bool { isAllowed("should end") }
  func textFieldDidEndEditing(_ field: TextField) { lines.append("did end") }
  func textField(_ field: TextField, doCommand command: Command) -> Bool {
    !isAllowed("do \(command)")
  }
  func textField(_ field: TextField, completionFor text: String) -> String? {
    lines.append("complete \(text)")
    return nil
  }
  func textFieldDidSubmit(_ field: TextField) { lines.append("submit \(field.text)") }
}
