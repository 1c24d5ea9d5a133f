import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ButtonTests {
  private let button = Button("Save")

  // MARK: Pressing

  @Test func returnSpaceAndClicksPressIt() {
    let desk = Desk(button)
    let taps = button.rx.tap.record()
    desk.window.makeFirstResponder(button)
    desk.backend.press("enter")
    desk.backend.press("space")
    desk.backend.click("Save")
    #expect(taps.elements.count == 3)
    desk.backend.press("ctrl+space")
    desk.backend.press("x")
    desk.backend.send(.paste(" "))
    desk.mouse(.press(.right), x: 2, y: 0)
    desk.mouse(.release(.right), x: 2, y: 0)
    #expect(taps.elements.count == 3)
  }

  @Test func releasingTheMouseOutsideCancels() {
    let desk = Desk(StackView(.vertical, [button, Label("below")]))
    let taps = button.rx.tap.record()
    desk.mouse(.press(.left), x: 2, y: 0)
    desk.mouse(.drag(.left), x: 2, y: 1)
    desk.mouse(.release(.left), x: 2, y: 1)
    #expect(taps.elements.isEmpty)
    desk.mouse(.press(.left), x: 2, y: 1)
    desk.mouse(.release(.left), x: 2, y: 0)
    #expect(taps.elements.isEmpty)
  }

  @Test func anUnavailableButtonIsNotPressed() {
    let row = StackView(.vertical, [button])
    let desk = Desk(row)
    let taps = button.rx.tap.record()
    row.isEnabled = false
    button.press()
    desk.backend.click("Save")
    row.isEnabled = true
    button.isHidden = true
    button.press()
    button.isHidden = false
    button.removeFromSuperview()
    button.press()
    #expect(taps.elements.isEmpty)
  }

  @Test func aDisabledButtonSwallowsTheClick() {
    let log = Log()
    let behind = Spot("behind", log)
    behind.addSubview(button)
    let desk = Desk(behind)
    button.isEnabled = false
    desk.backend.click("Save")
    #expect(log.entries.isEmpty)
  }

  @Test func defaultAndCancelKeysPressTheirButtons() {
    let cancel = Button("Cancel")
    let spot = Spot("spot")
    let desk = Desk(StackView(.vertical, [spot, button, cancel]))
    let taps = button.rx.tap.record()
    let cancels = cancel.rx.tap.record()
    desk.window.defaultButton = button
    desk.window.cancelButton = cancel
    desk.backend.press("enter")
    desk.window.makeFirstResponder(spot)
    desk.backend.press("enter")
    desk.backend.press("escape")
    #expect(taps.elements.count == 2)
    #expect(cancels.elements.count == 1)
    spot.takes = { _ in true }
    desk.backend.press("enter")
    button.isEnabled = false
    #expect(taps.elements.count == 2)
  }

  @Test func mayBeRemovedDuringATap() {
    weak var held: Button?
    let row = StackView(.vertical)
    let desk = Desk(row)
    do {
      let button = Button("Gone")
      held = button
      row.addSubview(button)
      button.rx.tap.observeNext { row.subviews.first?.removeFromSuperview() }
    }
    desk.backend.click("Gone")
    #expect(held == nil)
    #expect(row.subviews.isEmpty)
    #expect(desk.text == "")
  }

  @Test func aTapMayCloseTheWindow() {
    let desk = Desk(Label("below"))
    let dialog = Window(style: .dialog, content: button)
    button.rx.tap.observeNext { [weak dialog] in dialog?.close() }
    desk.application.show(dialog)
    desk.backend.click("Save")
    #expect(desk.application.windows.count == 1)
    desk.application.show(dialog)
    dialog.makeFirstResponder(button)
    desk.backend.press("enter")
    #expect(desk.application.windows.count == 1)
  }

  // MARK: Appearance

  @Test func appearanceFollowsItsState() {
    let desk = Desk(button, width: 8, height: 1)
    let theme = desk.application.theme
    #expect(desk.text == "[ Save ]")
    #expect(desk.style(x: 0, y: 0) == theme.button)
    desk.window.makeFirstResponder(button)
    #expect(desk.style(x: 0, y: 0) == theme.selection)
    desk.backend.send(.focus(false))
    #expect(desk.style(x: 0, y: 0) == theme.button)
    desk.window.defaultButton = button
    #expect(desk.text == "< Save >")
    button.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == theme.disabled)
    button.title = "Keep"
    #expect(desk.text == "< Keep >")
  }

  // MARK: Streams

  @Test func tapsSendNoInitialEventAndComplete() {
    var button: Button? = Button("Save")
    weak let held = button
    let taps = button?.rx.tap.record()
    #expect(taps?.events.isEmpty == true)
    button = nil
    #expect(held == nil)
    #expect(taps?.isCompleted == true)
  }

  @Test func theTitleFollowsAProperty() {
    let desk = Desk(button)
    Property("Store").bind(to: button.rx.title)
    #expect(desk.text.contains("[ Store ]"))
  }
}
