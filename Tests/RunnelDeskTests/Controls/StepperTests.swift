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
