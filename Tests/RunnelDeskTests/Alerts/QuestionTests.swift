import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Alerts that ask with a control.
@MainActor
@Suite struct QuestionTests {
  private let view = TextView((1...9).map { "line \($0)" }.joined(separator: "\n"))
  private let desk: Desk

  init() {
    desk = Desk(view, width: 34, height: 9)
    desk.window.makeFirstResponder(view)
  }

  @Test func alertStaysOpenAndSaysWhy() {
    let (field, log) = (TextField("Milk"), Log())
    let alert = Alert("Rename", asking: field, button: "Rename") {
      log.add(field.text)
      return field.text == "Tea" ? nil : "Milk is taken."
    }
    let answers = alert.ask(in: desk.application).stream.record()
    #expect(field.isFirstResponder && field.selection == TextSelection(field.document.bounds))
    desk.press("enter")
    #expect(desk.text.contains("│ Milk is taken.") && answers.elements.isEmpty)
    field.text = "Tea"
    desk.press("enter")
    #expect(log.take() == ["Milk", "Tea"] && answers.elements.map(\.role) == [.default])
    #expect(view.isFirstResponder)
  }

  @Test func cancelledQuestionIsNotAnswered() {
    let alert = Alert("Rename", asking: TextField(), button: "Rename") {
      Issue.record("It was accepted.")
      return nil
    }
    let answers = alert.ask(in: desk.application).stream.record()
    desk.press("escape")
    #expect(answers.elements.map(\.role) == [.cancel])
  }

  @Test func typingReplacesTheTextOfAComboBox() {
    let box = ComboBox("work", choices: ["home", "work"])
    let alert = Alert("Move", asking: box, button: "Move") { nil }
    let answers = alert.ask(in: desk.application).stream.record()
    desk.backend.type("ho")
    #expect(box.text == "ho" && answers.elements.isEmpty)
  }

  @Test func pageOfTextScrolls() {
    let text = (1...30).map { "row \($0)" }.joined(separator: "\n")
    let answers = Alert("Keys", page: text).ask(in: desk.application).stream.record()
    #expect(desk.text.contains("row 1"))
    desk.press("pagedown")
    #expect(!desk.text.contains("row 1 "))
    desk.press("enter")
    #expect(answers.elements.count == 1)
  }

  @Test(arguments: [("3", 2), ("99", 8), ("0", 0), ("-5", 0), ("99999999999999999999", 8)])
  func caretGoesToLine(_ typed: String, _ line: Int) {
    let answers = view.askForLine(in: desk.application).stream.record()
    desk.backend.type(typed)
    desk.press("enter")
    #expect(view.selection.head == TextPosition(line: line, offset: 0) && view.isFirstResponder)
    #expect(answers.elements.count == 1)
  }

  @Test func lineWithoutNumberIsRefused() {
    _ = view.askForLine(in: desk.application).stream.record()
    desk.backend.type("x")
    desk.press("enter")
    #expect(desk.text.contains("Type a number.") && view.selection.head == .start)
    desk.press("escape")
    #expect(view.selection.head == .start && view.isFirstResponder)
  }

  // MARK: Completion

  private func complete(_ choices: String...) -> Bool {
    view.text = "see [[Mi"
    view.selection = TextSelection(caret: view.document.end)
    let start = TextPosition(line: 0, offset: 6)
    return view.complete(start..<view.document.end, from: choices, closing: "]]")
  }

  @Test func onlyChoiceIsTaken() {
    #expect(complete("Milk") && view.text == "see [[Milk]]")
    desk.press("ctrl+z")
    #expect(view.text == "see [[Mi")
    #expect(!complete() && view.text == "see [[Mi")
    view.isEditable = false
    #expect(!view.complete(.start..<(.start), from: ["x"]))
  }

  @Test func closingIsNotAddedTwice() {
    view.text = "[[Mi]] x"
    let range = TextPosition(line: 0, offset: 2)..<TextPosition(line: 0, offset: 4)
    #expect(view.complete(range, from: ["Milk"], closing: "]]") && view.text == "[[Milk]] x")
  }

  @Test func choiceIsTakenFromAMenu() {
    #expect(complete("Milk", "Mint", "Mirror") && view.text == "see [[Mi")
    desk.press("down", "down", "enter")
    #expect(view.text == "see [[Mirror]]" || view.text == "see [[Mint]]")
    #expect(complete("Milk", "Mint", "Mirror", "Oat Milk"))
    desk.backend.type("lk")
    #expect(view.text == "see [[Milk" && desk.text.contains("Oat Milk"))
    #expect(!desk.text.contains("Mint"))
    desk.press("backspace", "down", "tab")
    #expect(view.text == "see [[Milk]]" || view.text == "see [[Oat Milk]]")
    #expect(complete("Milk", "Mint"))
    desk.backend.type("x")
    #expect(view.text == "see [[Mix")
    desk.backend.type("y")
    #expect(view.text == "see [[Mixy")
    #expect(complete("Milk", "Mint"))
    desk.press("escape")
    #expect(view.text == "see [[Mi" && view.isFirstResponder)
  }

  @Test func changedTextIsNotReplaced() {
    #expect(complete("Milk", "Mint"))
    view.text = "another"
    desk.press("down", "enter")
    #expect(view.text == "another")
  }
}
