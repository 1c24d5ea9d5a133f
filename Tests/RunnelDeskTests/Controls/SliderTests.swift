import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct SliderTests {
  private let slider = Slider(20, in: 0...100, step: 5)
  private let desk: Desk

  init() {
    desk = Desk(focusing: slider, width: 11, height: 1)
  }

  @Test(arguments: [
    ("right", 25), ("up", 25), ("left", 15), ("down", 15), ("pageup", 30), ("pagedown", 10),
    ("home", 0), ("end", 100), ("ctrl+left", 20), ("enter", 20),
  ])
  func keysMoveIt(key: String, value: Double) {
    desk.press(key)
    #expect(slider.value == value)
  }

  @Test func theMouseDragsIt() {
    let values = slider.rx.value.changed.record()
    desk.mouse(.press(.left), x: 5, y: 0)
    desk.mouse(.drag(.left), x: 6, y: 9)
    desk.mouse(.drag(.left), x: 99, y: 0)
    desk.mouse(.drag(.left), x: -3, y: 0)
    desk.mouse(.release(.left), x: 3, y: 0)
    #expect(values.elements == [50, 60, 100, 0])
  }

  @Test func theWheelMovesItOnlyWithTheFocus() {
    desk.mouse(.wheel(.up), x: 1, y: 0)
    desk.mouse(.wheel(.right), x: 1, y: 0)
    desk.mouse(.wheel(.down), x: 1, y: 0)
    #expect(slider.value == 25)
    desk.window.makeFirstResponder(nil)
    desk.mouse(.wheel(.up), x: 1, y: 0)
    #expect(slider.value == 25)
  }

  @Test func appearanceFollowsItsState() {
    let theme = Theme.standard
    #expect(desk.text == "━━●────────")
    #expect(
      [0, 2, 3].map { desk.style(x: $0, y: 0) } == [theme.progress, theme.selection, theme.faint])
    slider.value = 100
    #expect(desk.text == "━━━━━━━━━━●")
    slider.isEnabled = false
    #expect([0, 10].map { desk.style(x: $0, y: 0) } == [theme.disabled, theme.disabled])
    #expect(!slider.propose(value: 0))
    desk.mouse(.press(.left), x: 1, y: 0)
    #expect(slider.value == 100)
  }

  @Test(arguments: [
    (-5, 0), (101, 100), (52.4, 50), (52.6, 55), (.nan, 0), (.infinity, 100),
  ])
  func valuesAreClampedAndRounded(wanted: Double, value: Double) {
    slider.value = wanted
    #expect(slider.value == value)
  }

  @Test func aContinuousSliderHasAllValues() {
    let slider = Slider(0.123)
    let desk = Desk(focusing: slider)
    #expect(slider.value == 0.123)
    desk.press("right")
    #expect(abs(slider.value - 0.133) < 1e-9)
    #expect(Slider(1, in: 0...9, step: -1).step == nil && Slider(1, step: .nan).step == nil)
    let fixed = Slider(5, in: 5...5)
    desk.window.content = fixed
    desk.press("tab", "right", "end")
    #expect(fixed.value == 5 && desk.lines[0].hasPrefix("●"))
    // The last step may be shorter.
    let uneven = Slider(9, in: 0...10, step: 4)
    #expect(uneven.value == 8)
    desk.window.content = uneven
    desk.press("tab", "end")
    #expect(uneven.value == 10)
  }

  @Test func aDelegateMayRefuseOrInterfere() {
    let veto = slider.rDelegate.answer(\.slider_shouldChangeTo) { _, value in value < 30 }
    #expect(!slider.propose(value: 40) && slider.propose(value: 25))
    veto.dispose()
    let changes = slider.rx.value.changed.record()
    let hurry = slider.rDelegate.answer(\.slider_shouldChangeTo) { slider, _ in
      slider.value = 70
      return true
    }
    #expect(!slider.propose(value: 40) && slider.value == 70 && changes.elements == [])
    hurry.dispose()
    slider.rDelegate.stream(\.sliderDidChange).observeNext { $0.removeFromSuperview() }
    desk.mouse(.press(.left), x: 0, y: 0)
    desk.mouse(.drag(.left), x: 9, y: 0)
    #expect(slider.value == 0 && desk.text == "")
  }

  @Test(arguments: 0..<4, 0..<2)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.click(0, 0)
    desk.press("end", "left")
    #expect(desk.lines.count == height && slider.value == 95)
  }

  @Test func followsAProperty() {
    let value = Property(40.0)
    slider.rx.value.bindTwoWay(to: value)
    desk.press("right")
    #expect(value.value == 45)
    value.value = 1000
    #expect(slider.value == 100 && value.value == 1000)
  }
}
