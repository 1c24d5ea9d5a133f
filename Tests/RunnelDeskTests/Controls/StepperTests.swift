import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct StepperTests {
  private let stepper = Stepper(20, in: 0...100, step: 2)
  private let desk: Desk

  init() {
    desk = Desk(focusing: stepper)
  }

  @Test(arguments: [
    ("right", 22), ("up", 22), ("left", 18), ("down", 18), ("pageup", 40), ("pagedown", 0),
    ("home", 0), ("end", 100), ("+", 22), ("-", 18), ("x", 20), ("ctrl+left", 20), ("enter", 20),
  ])
  func keysChangeIt(key: String, value: Int) {
    if key.count == 1 { desk.backend.type(key) } else { desk.press(key) }
    #expect(stepper.value == value)
  }

  // MARK: Typing

  @Test func typedDigitsAreAcceptedWithReturn() {
    let values = stepper.rx.value.changed.record()
    desk.backend.type("4")
    #expect(desk.text == "[-]   4 [+]" && desk.cursor == Point(x: 7, y: 0))
    desk.backend.type("35")
    #expect(desk.text == "[-] 435 [+]" && stepper.value == 20)
    // There is room for three digits.
    desk.backend.type("9")
    desk.press("backspace")
    #expect(desk.text == "[-]  43 [+]")
    desk.press("enter")
    #expect(desk.text == "[-]  43 [+]" && desk.cursor == nil)
    #expect(values.elements == [43])
  }

  @Test(arguments: [
    (["7", "escape"], 20), (["7", "tab"], 7), (["7", "up"], 9), (["7", "+"], 9), (["7", "-"], 5),
    (["9", "9", "9", "enter"], 100), (["backspace", "enter"], 2), (["ctrl+u", "enter"], 20),
    (["backspace", "backspace", "backspace", "enter"], 20), (["0", "0", "5", "enter"], 5),
    (["3", "x", "enter"], 3), (["ctrl+w", "6", "enter"], 6), (["7", "end"], 100),
    (["٣", "enter"], 3), (["½", "enter"], 20), (["7", "escape", "8", "enter"], 8),
  ])
  func typingEnds(keys: [String], value: Int) {
    desk.window.content = StackView(.vertical, [stepper, Button("Next")])
    desk.window.makeFirstResponder(stepper)
    for key in keys { if key.count == 1 { desk.backend.type(key) } else { desk.press(key) } }
    #expect(stepper.value == value)
    #expect(desk.lines[0].hasSuffix("\(value) [+]"))
  }

  @Test func minusBeginsANegativeNumberIfThereAreAny() {
    stepper.range = -50...50
    desk.backend.type("-")
    #expect(desk.text == "[-]   - [+]" && stepper.value == 20)
    desk.press("enter")
    #expect(stepper.value == 20)
    desk.backend.type("-12")
    desk.press("enter")
    #expect(stepper.value == -12)
    desk.press("backspace", "backspace")
    #expect(desk.text == "[-]   - [+]")
    desk.backend.type("7\n")
    #expect(stepper.value == -7)
    desk.backend.type("99\n")
    #expect(stepper.value == 50)
  }

  @Test func typedExtremesAreClamped() {
    stepper.range = .min ... .max
    desk.backend.type("99999999999999999999\n")
    #expect(stepper.value == .max)
    desk.backend.type("-9999999999999999999\n")
    #expect(stepper.value == .min)
  }

  @Test func otherWaysToChangeItAcceptTheTypedNumber() {
    desk.backend.type("30")
    desk.backend.click("[+]")
    #expect(stepper.value == 32)
    desk.backend.type("40")
    desk.mouse(.wheel(.down), x: 5, y: 0)
    #expect(stepper.value == 38)
    desk.backend.send(.paste("12"))
    #expect(desk.text == "[-]  12 [+]")
    // The program sets another value or range.
    stepper.value = 50
    #expect(desk.text == "[-]  50 [+]")
    desk.backend.type("12")
    stepper.range = 0...60
    #expect(desk.text == "[-] 50 [+]")
    // A disabled stepper does not change.
    desk.backend.type("12")
    stepper.isEnabled = false
    #expect(stepper.value == 50 && desk.text == "[-] 50 [+]")
    desk.backend.send(.paste("1a"))
    #expect(stepper.value == 50)
  }

  @Test func aDelegateMayRefuseATypedNumber() {
    stepper.rDelegate.answer(\.stepper_shouldChangeTo) { _, value in value != 31 }
    desk.backend.type("31\n")
    #expect(stepper.value == 20 && desk.text == "[-]  20 [+]")
    let delegate = stepper.rDelegate
    delegate.answer(\.stepper_shouldChangeTo) { stepper, _ in
      stepper.removeFromSuperview()
      return true
    }
    desk.backend.type("5")
    stepper.removeFromSuperview()
    #expect(stepper.value == 20)
  }

  /// Without a typed number, Return and Esc press the buttons of the window.
  @Test func returnAndEscapeAreLeftToTheWindow() {
    let (save, cancel) = (Button("Save"), Button("Cancel"))
    desk.window.content = StackView(.vertical, [stepper, save, cancel])
    desk.window.defaultButton = save
    desk.window.cancelButton = cancel
    desk.window.makeFirstResponder(stepper)
    let presses = save.rx.tap.map { "save" }.merge(cancel.rx.tap.map { "cancel" }).record()
    desk.press("3", "enter")
    desk.press("4", "escape")
    #expect(presses.elements == [])
    desk.press("enter", "escape")
    #expect(presses.elements == ["save", "cancel"])
  }

  @Test func typedDigitsAreRead() {
    _ = desk.backend.readLines()
    desk.backend.type("4")
    #expect(desk.backend.readLines() == ["4"])
    desk.backend.type("2")
    #expect(desk.backend.readLines() == ["42"])
    desk.press("escape")
    #expect(desk.backend.readLines() == ["20"])
  }

  // MARK: Mouse, appearance

  @Test func buttonsAndTheWheelChangeIt() {
    #expect(desk.text == "[-]  20 [+]")
    let values = stepper.rx.value.changed.record()
    desk.backend.click("[+]")
    desk.backend.click("[-]")
    desk.backend.click("20")
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.release(.left), x: 1, y: 9)
    desk.mouse(.wheel(.up), x: 5, y: 0)
    desk.mouse(.wheel(.down), x: 5, y: 0)
    desk.window.makeFirstResponder(nil)
    desk.mouse(.wheel(.up), x: 5, y: 0)
    #expect(values.elements == [22, 20, 22, 20])
  }

  @Test func appearanceFollowsItsState() {
    let theme = Theme.standard
    let places = [1, 5, 9]
    #expect(
      places.map { desk.style(x: $0, y: 0) } == [theme.button, theme.selection, theme.button])
    stepper.value = 100
    #expect(desk.text == "[-] 100 [+]" && desk.style(x: 9, y: 0) == theme.disabled)
    stepper.rx.range.send(-5...7)
    #expect(desk.text == "[-]  7 [+]" && stepper.value == 7)
    stepper.isEnabled = false
    #expect(places.map { desk.style(x: $0, y: 0) } == places.map { _ in theme.disabled })
    #expect(!stepper.propose(value: 1) && !stepper.step(by: 1))
    #expect(stepper.wantedExtent(in: .zero) == Extent(width: 10, height: 1))
  }

  @Test func extremeValuesAreClamped() {
    stepper.range = .min ... .max
    stepper.step = .max
    desk.press("pageup", "up")
    #expect(stepper.value == .max)
    desk.press("pagedown", "down")
    #expect(stepper.value == .min)
    stepper.value = 0
    stepper.step = -4
    desk.press("up")
    #expect(stepper.value == 1)
    stepper.range = 0...9
    stepper.value = -3
    #expect(stepper.value == 0)
  }

  @Test func aDelegateMayRefuseOrInterfere() {
    let veto = stepper.rDelegate.answer(\.stepper_shouldChangeTo) { _, value in value < 30 }
    #expect(!stepper.propose(value: 40) && stepper.propose(value: 25))
    veto.dispose()
    let changes = stepper.rx.value.changed.record()
    let narrow = stepper.rDelegate.answer(\.stepper_shouldChangeTo) { stepper, _ in
      stepper.range = 0...30
      return true
    }
    #expect(!stepper.propose(value: 40) && stepper.value == 25 && changes.elements == [])
    narrow.dispose()
    stepper.rDelegate.stream(\.stepperDidChange).observeNext { $0.removeFromSuperview() }
    desk.backend.click("[-]")
    #expect(stepper.value == 23 && desk.text == "")
  }

  @Test(arguments: 0..<8, 0..<2)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.press("up")
    #expect(desk.lines.count == height && stepper.value == 22)
  }

  @Test func followsAProperty() {
    let value = Property(40)
    stepper.rx.value.bindTwoWay(to: value)
    desk.press("up")
    #expect(value.value == 42)
    value.value = 1
    #expect(stepper.value == 1)
  }
}
