import RunnelProxies
import RunnelStreams
import RunnelTesting
import Testing

@Suite @MainActor struct EditorDelegateTests {
  private let editor = Editor()
  private let controller = EditorController()
  private var delegate: any EditorDelegate { editor.rDelegate }

  // MARK: - Every requirement

  @Test func allRequirementsAreExercised() {
    let names = Set(EventCase.all.map(\.name) + AnswerCase.all.map(\.name))
    #expect(names.count == EventCase.all.count + AnswerCase.all.count)
    // The other ten: six with `inout` parameters, a variadic one, and three properties.
    #expect(names.count + 10 == 66)
  }

  @Test func eventsReachStreamsThenTheDelegate() throws {
    editor.delegate = controller
    for told in EventCase.all {
      controller.log = []
      let observation = told.observe(editor.rDelegate) { controller.log.append($0) }
      told.call(try #require(editor.delegate), editor)
      let sent = try #require(controller.log.last?.dropFirst(told.name.count + 1))
      #expect(controller.log == ["tuple \(sent)", "closure \(sent)", "\(told.name) \(sent)"])
      #expect(sent.hasPrefix("the editor"))
      observation.dispose()
      controller.log = []
      told.call(try #require(editor.delegate), editor)
      #expect(controller.log == ["\(told.name) \(sent)"])
    }
  }

  @Test func answersComeFromClosureDelegateOrDefault() throws {
    for asked in AnswerCase.all {
      controller.log = []
      let proxy = editor.rDelegate
      let name = Comment(rawValue: asked.name)
      if let answer = asked.defaultAnswer {
        #expect(asked.call(delegate, editor) == answer, name)
      }
      proxy.forwardTo = controller
      #expect(asked.call(proxy, editor) == asked.targetsAnswer, name)
      let sent = try #require(controller.log.last?.dropFirst(asked.name.count + 1))
      #expect(controller.log == ["\(asked.name) \(sent)"])

      var heard: [String] = []
      let listening = asked.listen(proxy) { heard.append($0) }
      #expect(asked.call(proxy, editor) == asked.targetsAnswer, name)
      let answering = asked.answer(proxy)
      #expect(asked.call(proxy, editor) == asked.closuresAnswer, name)
      answering.dispose()
      let streaming = asked.stream(proxy).observeNext { heard.append($0) }
      #expect(asked.call(proxy, editor) == asked.closuresAnswer, name)
      #expect(heard == Array(repeating: String(sent), count: 4), name)
      #expect(controller.log.count == 2, name)
      streaming.dispose()
      listening.dispose()
      #expect(asked.call(proxy, editor) == asked.targetsAnswer, name)
      proxy.forwardTo = nil
    }
  }

  @Test func inoutArgumentsPassClosuresThenTheDelegate() {
    let proxy = editor.rDelegate
    proxy.forwardTo = controller
    var board = ["B"]
    #expect(delegate.tableView(editor, write: [1], to: &board))
    #expect(board == ["B", "T"])
    let writing = proxy.answer(\.tableView_write_to) { _, rows, board in
      board.value += rows.map(String.init)
      return false
    }
    #expect(!delegate.tableView(editor, write: [1, 2], to: &board))
    #expect(board == ["B", "T", "1", "2"])
    writing.dispose()

    var target = 2.0
    proxy.stream(\.scrollView_willEndDraggingWith_target) {
      (push: PushStream<Double>, _, velocity, target) in
      target.value *= velocity
      push.next(target.value)
    }.observeNext { #expect($0 == 6) }
    delegate.scrollView(editor, willEndDraggingWith: 3, target: &target)
    #expect(target == 7)

    var row = 3
    proxy.stream(\.tableView_validateDropAt).observeNext { _, row in row.value *= 2 }
    #expect(delegate.tableView(editor, validateDropAt: &row) == .on)
    #expect(row == 7)

    var characters = "S"
    proxy.answer(\.textView_willInsert) { _, characters in characters.value += "A" }
    delegate.textView(editor, willInsert: &characters)
    #expect(characters == "SAT")

    var range = 1..<4
    #expect(!delegate.textView(editor, shouldReplace: &range, with: nil))
    #expect(range == 1..<9)
    proxy.answer(\.textView_shouldReplace_with) { _, range, _ in
      range.value = 0..<0
      return true
    }
    #expect(delegate.textView(editor, shouldReplace: &range, with: "A"))
    #expect(range == 0..<0)

    var index = 0
    #expect(delegate.textView(editor, completionsFor: 0..<1, index: &index) == ["T"])
    #expect(index == 1)
    proxy.answer(\.textView_completionsFor_index) { _, _, index in
      index.value = 5
      return ["A"]
    }
    #expect(delegate.textView(editor, completionsFor: 0..<1, index: &index) == ["A"])
    #expect(index == 5)
  }

  @Test func variadicsAndPropertiesHaveStreams() {
    let proxy = editor.rDelegate
    #expect(delegate.isRichText)
    proxy.forwardTo = controller
    var log: [String] = []
    proxy.stream(\.textView_didFind).observeNext { _, ranges in log.append("found \(ranges)") }
    delegate.textView(editor, didFind: 1..<2, 5..<6)
    #expect(log == ["found [Range(1..<2), Range(5..<6)]"])
    #expect(controller.log == ["textView(_:didFind:) the editor, [Range(1..<2), Range(5..<6)]"])

    #expect(!delegate.isRichText)
    proxy.answer(\.isRichText) { true }
    #expect(delegate.isRichText)

    proxy.stream(\.typingAttributes_set).observeNext { log.append("attributes \($0)") }
    proxy.stream(\.zoom_set).observeNext { log.append("zoom \($0)") }
    delegate.typingAttributes["T"] = "new"
    delegate.zoom *= 2
    #expect(log.suffix(2) == [#"attributes ["T": "new"]"#, "zoom 15.0"])
    #expect(controller.typingAttributes == ["T": "new"])
    #expect(controller.zoom == 15)
    proxy.answer(\.typingAttributes) { [:] }
    proxy.answer(\.zoom) { 1 }
    #expect(delegate.typingAttributes == [:])
    #expect(delegate.zoom == 1)
  }

  // MARK: - Control

  @Test func selecting() {
    editor.delegate = controller
    var rows: [Int] = []
    editor.selectedRows.observeNext { rows.append($0) }
    editor.select(1)
    #expect(editor.selectedRow == nil)
    editor.rDelegate.answer(\.tableView_shouldSelectRowAt) { _, row in row < 5 }
    editor.rDelegate.answer(\.tableView_willSelectRowAt) { _, row in row == 4 ? nil : row * 10 }
    for row in [1, 6, 4] { editor.select(row) }
    #expect(rows == [10, 4])
    #expect(editor.selectedRow == 4)
    #expect(
      controller.log.filter { $0.hasPrefix("tableView(_:did") } == [
        "tableView(_:didSelectRowAt:) the editor, 10",
        "tableView(_:didDeselectRowAt:) the editor, 10",
        "tableView(_:didSelectRowAt:) the editor, 4",
      ])
  }

  @Test func sorting() {
    var orders: [[SortOrder]] = []
    editor.rDelegate.stream(\.tableView_sortOrdersDidChange) {
      (push: PushStream<[SortOrder]>, editor, _) in push.next(editor.sortOrders)
    }.observeNext { orders.append($0) }
    for column in ["name", "size", "size"] { editor.click(column) }
    #expect(
      orders == [
        [SortOrder(column: "name", ascending: true)],
        [SortOrder(column: "size", ascending: true), SortOrder(column: "name", ascending: true)],
        [SortOrder(column: "size", ascending: false), SortOrder(column: "name", ascending: true)],
      ])
  }

  @Test func dragging() {
    let proxy = editor.rDelegate
    proxy.forwardTo = controller
    #expect(editor.drag([1, 2], to: 3))
    #expect(editor.dropped == [4: ["T"]])
    proxy.answer(\.tableView_write_to) { _, rows, board in
      board.value = rows.map { "row \($0)" }
      return !rows.isEmpty
    }
    proxy.answer(\.tableView_validateDropAt) { _, row in
      row.value = max(row.value, 10)
      return .above
    }
    #expect(!editor.drag([], to: 3))
    #expect(editor.drag([1, 2], to: 3))
    #expect(editor.dropped[10] == ["row 1", "row 2"])
  }

  @Test func typing() {
    var changes: [String] = []
    let texts = editor.rDelegate.stream(\.textDidChange) {
      (push: PushStream<String>, editor) in push.next(editor.text)
    }
    texts.observeNext { changes.append($0) }
    editor.rDelegate.answer(\.textView_willInsert) { _, characters in
      characters.value = characters.value.uppercased()
    }
    editor.rDelegate.answer(\.textView_shouldReplace_with) { editor, range, new in
      range.value = range.value.clamped(to: 0..<editor.text.count)
      return new != "no"
    }
    editor.type("emma")
    editor.type("no")
    editor.type("o", over: 3..<100)
    #expect(changes == ["EMMA", "EMMO"])
  }

  @Test func anObserverMayExpandAnotherItem() {
    let proxy = editor.rDelegate
    var log: [String] = []
    proxy.answer(\.outlineView_isExpandable) { _, _ in true }
    proxy.answer(\.outlineView_shouldCollapse) { _, item in item != "root" }
    proxy.stream(\.outlineViewItemDidExpand_item).observeNext { editor, item in
      log.append("+\(item)")
      if item == "root" { editor.toggle("child") }
    }
    proxy.stream(\.outlineViewItemDidExpand_item).observeNext { _, item in log.append("*\(item)") }
    proxy.stream(\.outlineViewItemDidCollapse_item).observeNext { _, item in log.append("-\(item)")
    }
    for item in ["root", "root", "child"] { editor.toggle(item) }
    #expect(log == ["+root", "*root", "+child", "*child", "-child"])
    #expect(editor.expanded == ["root"])
  }

  // MARK: - Release

  @Test func allStreamsCompleteWithTheControl() {
    var ends = 0
    var editor: Editor? = Editor()
    guard let proxy = editor?.rDelegate else { return }
    for asked in AnswerCase.all {
      asked.stream(proxy).observe(next: { _ in }, completed: { ends += 1 })
    }
    let count = AnswerCase.all.count
    #expect(ends == 0)
    editor = nil
    #expect(ends == count)
  }

  @Test func allStreamsAreReleased() {
    Resources.tracking { resources in
      do {
        let editor = Editor()
        let controller = EditorController()
        editor.delegate = controller
        for told in EventCase.all { _ = told.observe(editor.rDelegate) { _ in } }
        for asked in AnswerCase.all {
          _ = asked.answer(editor.rDelegate)
          _ = asked.listen(editor.rDelegate) { _ in }
        }
        for told in EventCase.all { told.call(editor.rDelegate, editor) }
        for asked in AnswerCase.all { _ = asked.call(editor.rDelegate, editor) }
      }
      #expect(resources.total == 0)
    }
  }
}
