import RunnelCollections
import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct TableKeysTests {
  private func stage(
    _ rows: [String] = ["apple", "banana", "berry", "Blue", "cherry"]
  ) -> (TableStage, LoggingDelegate) {
    let stage = TableStage(rows, height: 5)
    let delegate = LoggingDelegate()
    stage.table.delegate = delegate
    return (stage, delegate)
  }

  @Test func returnActivatesTheSelectedRow() {
    let (stage, delegate) = stage()
    stage.press("enter")
    stage.press("down", "down", "enter")
    #expect(delegate.take().filter { $0.hasPrefix("activate") } == ["activate 1"])
  }

  @Test func f2EditsUnlessTheDelegateRefuses() {
    let (stage, delegate) = stage()
    stage.press("f2", "down")
    _ = delegate.take()
    stage.press("f2")
    #expect(delegate.take() == ["shouldEdit 0", "edit 0"])
    delegate.refusesEditing = true
    stage.press("f2")
    #expect(delegate.take() == ["shouldEdit 0"])
    stage.table.rDelegate.answer(\.tableView_shouldEditRow) { _, _ in true }
    stage.press("f2")
    #expect(delegate.take() == ["edit 0"])
    #expect(
      stage.table.frame(ofRow: 0, column: "name") == Rect(x: 0, y: 0, width: 12, height: 1))
    #expect(stage.table.frame(ofRow: 0, column: "size") == nil)
    #expect(stage.table.frame(ofRow: 5, column: "name") == nil)
  }

  @Test func aDelegateMayHandleACommand() {
    let (stage, delegate) = stage()
    delegate.handledCommands = [.move(.down), .insertNewline]
    stage.press("down", "enter", "end")
    #expect(stage.selected == [4])
    stage.table.rDelegate.answer(\.tableView_doCommand) { table, command in
      guard command == .cancel else { return false }
      table.selectedRow = nil
      return true
    }
    stage.press("escape")
    #expect(stage.selected == [])
    stage.press("down")
    #expect(stage.selected == [0])
  }

  @Test func unhandledKeysReachTheWindow() {
    let (stage, _) = stage()
    let button = Button("Done")
    stage.window.content = StackView(.vertical, [stage.table, button])
    stage.window.makeFirstResponder(stage.table)
    stage.press("tab")
    #expect(stage.window.firstResponder === button)
  }

  // MARK: - Type select

  @Test func lettersSelectTheRowWithThatPrefix() {
    let (stage, _) = stage()
    stage.backend.type("be")
    #expect(stage.selected == [2])
    stage.backend.type("x")
    #expect(stage.selected == [2])
    stage.scheduler.advance(by: .seconds(1))
    stage.backend.type("BL")
    #expect(stage.selected == [3])
    stage.scheduler.advance(by: .milliseconds(999))
    stage.backend.type("u")
    stage.scheduler.advance(by: .milliseconds(999))
    stage.backend.type("e")
    #expect(stage.selected == [3])
  }

  @Test func repeatingALetterSelectsTheNextRow() {
    let (stage, _) = stage()
    var path: [Int?] = []
    for letter in "bbbb" {
      stage.backend.type(String(letter))
      path.append(stage.table.selectedRow)
    }
    #expect(path == [1, 2, 3, 1])
  }

  @Test func typeSelectIgnoresCaseAndAccents() {
    let (stage, _) = stage(["cafe", "Élan", "e\u{301}cole"])
    stage.backend.type("ec")
    #expect(stage.selected == [2])
    stage.scheduler.advance(by: .seconds(1))
    stage.backend.type("Eel")
    #expect(stage.selected == [2])
    stage.scheduler.advance(by: .seconds(1))
    stage.backend.type("éLA")
    #expect(stage.selected == [1])
  }

  @Test func aSpaceIsPartOfTheTypedText() {
    let (stage, _) = stage(["new", "new note", "new york"])
    stage.backend.type("new y")
    #expect(stage.selected == [2])
  }

  @Test func theDelegateProvidesTypeSelectTexts() {
    let (stage, delegate) = stage()
    delegate.typeSelectTexts = [4: "zebra"]
    stage.backend.type("z")
    #expect(stage.selected == [4])
    stage.table.rDelegate.answer(\.tableView_typeSelectTextForRow) { _, row in "\(row)" }
    stage.scheduler.advance(by: .seconds(2))
    stage.backend.type("3")
    #expect(stage.selected == [3])
    delegate.refusedRows = [1]
    stage.scheduler.advance(by: .seconds(2))
    stage.backend.type("1")
    #expect(stage.selected == [3])
  }

  @Test func typeSelectCanBeDisabled() {
    let (stage, _) = stage()
    stage.table.allowsTypeSelect = false
    stage.backend.type("b")
    stage.backend.send(.paste("cherry"))
    #expect(stage.selected == [])
    stage.table.allowsTypeSelect = true
    stage.backend.send(.paste("cherry"))
    #expect(stage.selected == [])
  }

  /// On an immediate scheduler, the typing pause ends before the next line of the program.
  @Test func typeSelectWorksOnAnImmediateScheduler() {
    let table = TableView(columns: [TableColumn("name")])
    let names = CollectionProperty(["apple", "banana", "cherry"])
    let rows = table.rx.rows(names) { row, name in row["name"].text = name }
    let backend = HeadlessBackend(Size(width: 12, height: 5))
    let application = Application(backend: backend, scheduler: ImmediateScheduler())
    application.show(Window(content: table))
    table.window?.makeFirstResponder(table)
    for name in ["banana", "cherry", "apple"] {
      backend.type(String(name.prefix(1)))
      #expect(rows.selectedItem.value == name)
    }
  }
}
