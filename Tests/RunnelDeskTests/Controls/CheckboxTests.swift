import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct CheckboxTests {
  private final class Delegate: CheckboxDelegate {
    let log = Log()
    var agrees = true
    var onAsk: () -> Void = {}

    func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool {
      log.add("\(isOn)?")
      onAsk()
      return agrees
    }
    func checkboxDidChange(_ checkbox: Checkbox) { log.add("is \(checkbox.isOn)") }
  }

  private let checkbox = Checkbox("Wrap")
  private let delegate = Delegate()
  private let desk: Desk

  init() {
    desk = Desk(checkbox)
    checkbox.delegate = delegate
  }

  // MARK: Keys, mouse, appearance

  @Test func keysAndClicksToggleIt() {
    #expect(desk.text == "[ ] Wrap")
    desk.window.makeFirstResponder(checkbox)
    desk.backend.press("space")
    #expect(desk.text == "[x] Wrap")
    desk.backend.press("enter")
    #expect(desk.text == "[ ] Wrap")
    desk.backend.click("Wrap")
    #expect(desk.text == "[x] Wrap")
    desk.backend.send(.paste(" "))
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.release(.left), x: 1, y: 9)
    #expect(checkbox.isOn)
    #expect(delegate.log.take() == ["true?", "is true", "false?", "is false", "true?", "is true"])
  }

  @Test func appearanceFollowsItsState() {
    let theme = Theme.standard
    #expect(desk.style(x: 0, y: 0) == theme.text)
    desk.window.makeFirstResponder(checkbox)
    #expect(desk.style(x: 0, y: 0) == theme.selection)
    checkbox.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == theme.disabled)
    desk.backend.click("Wrap")
    checkbox.toggle()
    #expect(!checkbox.isOn)
    checkbox.title = "Fold"
    #expect(desk.text == "[ ] Fold")
  }

  // MARK: Delegate

  @Test func aDelegateOrAHandlerMayRefuse() {
    delegate.agrees = false
    desk.backend.click("Wrap")
    #expect(!checkbox.isOn)
    let answer = checkbox.rDelegate.answer(\.checkbox_shouldChangeTo) { _, isOn in isOn }
    desk.backend.click("Wrap")
    desk.scheduler.advance(by: .seconds(1))
    desk.backend.click("Wrap")
    #expect(checkbox.isOn)
    answer.dispose()
    desk.backend.click("Wrap")
    #expect(checkbox.isOn)
    #expect(delegate.log.take() == ["true?", "is true", "false?"])
  }

  @Test func aDelegateMayChangeOrRemoveItWhileAsked() {
    delegate.onAsk = { [checkbox] in checkbox.isOn = true }
    checkbox.toggle()
    #expect(checkbox.isOn)
    #expect(delegate.log.take() == ["true?"])
    delegate.onAsk = { [checkbox] in checkbox.removeFromSuperview() }
    desk.backend.click("Wrap")
    #expect(desk.text == "")
  }

  @Test func changesByTheProgramAskNoDelegate() {
    checkbox.isOn = true
    #expect(delegate.log.entries.isEmpty)
    #expect(desk.text == "[x] Wrap")
  }

  // MARK: Streams

  @Test func sendsTheValueAndTheUsersChanges() {
    checkbox.isOn = true
    let values = checkbox.rx.isOn.record()
    checkbox.toggle()
    checkbox.isOn = true
    checkbox.toggle()
    #expect(values.elements == [true, false, false])
    #expect(checkbox.rx.isOn.changed.record().elements == [])
  }

  @Test func followsAProperty() {
    let isOn = Property(true)
    isOn.bind(to: checkbox.rx.isOn)
    checkbox.rx.isOn.changed.bind(to: isOn)
    Property("Fold").bind(to: checkbox.rx.title)
    #expect(desk.text == "[x] Fold")
    desk.backend.click("Fold")
    #expect(!isOn.value)
    isOn.value = true
    #expect(desk.text == "[x] Fold")
  }

  @Test func itsStreamCompletesOnRelease() {
    var checkbox: Checkbox? = Checkbox("Gone")
    weak let held = checkbox
    let property = checkbox?.rx.isOn
    let values = property?.record()
    checkbox = nil
    #expect(held == nil)
    #expect(values?.events == [.next(false), .completed])
    #expect(property?.record().events == [.completed])
  }
}
