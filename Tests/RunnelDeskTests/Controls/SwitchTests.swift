import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct SwitchTests {
  private let control = Switch("Wi-Fi")
  private let desk: Desk

  init() {
    desk = Desk(control)
  }

  @Test func keysAndClicksChangeIt() {
    desk.window.makeFirstResponder(control)
    let values = control.rx.isOn.record()
    desk.press("space", "enter", "right", "right", "left", "left", "up", "x")
    desk.backend.click("Wi-Fi")
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.release(.left), x: 1, y: 9)
    #expect(values.elements == [false, true, false, true, false, true])
  }

  @Test func appearanceFollowsItsState() {
    let theme = Theme.standard
    #expect(desk.text == "○── Wi-Fi")
    control.isOn = true
    #expect(desk.text == "━━● Wi-Fi")
    #expect(desk.style(x: 0, y: 0) == theme.progress && desk.style(x: 5, y: 0) == theme.text)
    desk.window.makeFirstResponder(control)
    #expect(desk.style(x: 0, y: 0) == theme.selection)
    control.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == theme.disabled)
    #expect(!control.toggle() && control.isOn)
    control.rx.title.send("世界")
    #expect(desk.text == "━━● 世界")
    #expect(control.wantedExtent(in: .zero) == Extent(width: 8, height: 1))
    #expect(Switch().wantedExtent(in: .zero) == Extent(width: 3, height: 1))
  }

  @Test func aDelegateMayRefuseOrInterfere() {
    let veto = control.rDelegate.answer(\.switchControl_shouldChangeTo) { _, _ in false }
    #expect(!control.toggle() && !control.isOn)
    veto.dispose()
    let hurry = control.rDelegate.answer(\.switchControl_shouldChangeTo) { control, isOn in
      control.isOn = isOn
      return true
    }
    let changes = control.rx.isOn.changed.record()
    #expect(control.toggle() && changes.elements == [])
    hurry.dispose()
    control.rDelegate.stream(\.switchDidChange).observeNext { $0.removeFromSuperview() }
    desk.backend.click("Wi-Fi")
    #expect(desk.text == "" && changes.elements == [false])
  }

  @Test(arguments: 0..<5, 0..<2)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.press("tab", "space")
    #expect(desk.lines.count == height && control.isOn)
  }

  @Test func followsAProperty() {
    let isOn = Property(true)
    control.rx.isOn.bindTwoWay(to: isOn)
    desk.backend.click("Wi-Fi")
    #expect(!isOn.value)
    isOn.value = true
    #expect(control.isOn)
  }
}
