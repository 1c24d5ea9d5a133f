import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ToolTipsTests {
  private let button = Button("Save")
  private let plain = Label("plain")
  private let desk: Desk

  init() {
    desk = Desk(StackView(.vertical, [button, plain, View()]), width: 20, height: 5)
    button.toolTip = "Writes the file"
  }

  private var isShown: Bool { desk.text.contains("Writes") }

  private func rest(x: Int = 9, y: Int = 0) {
    desk.mouse(.move, x: x, y: y)
    desk.scheduler.advance(by: .milliseconds(600))
  }

  @Test func appearsWhenTheMouseRests() {
    desk.mouse(.move, x: 2, y: 0)
    desk.scheduler.advance(by: .milliseconds(500))
    desk.mouse(.move, x: 3, y: 0)
    desk.scheduler.advance(by: .milliseconds(500))
    #expect(!isShown)
    desk.scheduler.advance(by: .milliseconds(100))
    #expect(desk.text == "      [ Save ]\npla Writes the file")
    #expect(desk.style(x: 3, y: 1) == Theme.standard.floating)
    desk.mouse(.move, x: 9, y: 0)
    #expect(isShown)
    desk.mouse(.move, x: 9, y: 1)
    #expect(!isShown)
    #expect(desk.scheduler.pending == 0)
  }

  @Test(arguments: ["key", "paste", "press", "wheel", "resize"])
  func otherInputHidesIt(input: String) {
    rest()
    #expect(isShown)
    switch input {
    case "key": desk.press("x")
    case "paste": desk.backend.send(.paste("x"))
    case "press": desk.mouse(.press(.left), x: 9, y: 0)
    case "wheel": desk.mouse(.wheel(.up), x: 9, y: 0)
    default: desk.backend.send(.resize(Size(width: 20, height: 4)))
    }
    #expect(!isShown)
    desk.scheduler.advance(by: .seconds(1))
    #expect(!isShown)
  }

  @Test func followsTheView() {
    rest()
    button.toolTip = "Writes everything to the file"
    #expect(desk.text == "      [ Save ]\np Writes everything\n  to the file")
    button.isEnabled = false
    #expect(isShown)
    button.isHidden = true
    #expect(!isShown)
    button.isHidden = false
    desk.application.show(Window(style: .dialog, content: Label("front")))
    #expect(!isShown)
  }

  @Test func theTipOfAnAncestorIsUsed() {
    desk.window.content.toolTip = "Writes a form"
    rest(y: 4)
    #expect(desk.lines[3].hasSuffix(" Writes a form"))
    button.toolTip = nil
    desk.mouse(.move, x: 0, y: 0)
    #expect(isShown)
  }

  /// A backend need not report the movements of the mouse while no tool tip can appear.
  @Test func onlyVisibleTipsOfTheFrontWindowNeedMotion() {
    let application = desk.application
    #expect(application.needsMouseMotion)
    button.isHidden = true
    #expect(!application.needsMouseMotion)
    button.isHidden = false
    button.toolTip = ""
    #expect(!application.needsMouseMotion)
    desk.window.content.toolTip = "Writes a form"
    #expect(application.needsMouseMotion)
    let dialog = Window(style: .dialog, content: Label("front"))
    application.show(dialog)
    #expect(!application.needsMouseMotion)
    dialog.close()
    #expect(application.needsMouseMotion)
    application.end()
    #expect(!application.needsMouseMotion)
  }

  @Test func tinyScreens() {
    for size in [Size(width: 1, height: 1), Size(width: 2, height: 2), Size(width: 3, height: 1)] {
      desk.backend.send(.resize(size))
      rest(x: 0)
      #expect(desk.backend.grid.size == size)
    }
  }

  @Test func aStatusBarShowsTheTipOfTheFocus() {
    let status = StatusBar()
    desk.window.content.addSubview(status)
    desk.window.makeFirstResponder(button)
    #expect(desk.lines[4] == " Writes the file")
    status.text = "ready"
    #expect(desk.lines[4] == " ready")
    status.text = ""
    Property(String?.none).bind(to: button.rx.toolTip)
    #expect(desk.lines[4] == " Ctrl+Q quits")
    desk.window.content.toolTip = "Writes a form"
    #expect(desk.lines[4] == " Writes a form")
  }
}
