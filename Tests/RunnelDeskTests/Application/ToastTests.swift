import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ToastTests {
  private let log = Log()
  private let spot: Spot
  private let desk: Desk

  init() {
    spot = Spot("content", log)
    spot.wanted = Extent()
    desk = Desk(focusing: spot, width: 30, height: 4)
    _ = log.take()
  }

  private func toast(_ message: String, action: String? = nil) -> Toast {
    let toast = Toast(message, action: action, duration: .seconds(2))
    toast.rx.action.observeNext { [log] in log.add("did \(message)") }
    return toast
  }

  @Test func vanishesAfterItsTime() {
    desk.application.show(toast("Saved 新規"))
    #expect(desk.text == "content\n\n          Saved 新規")
    #expect(desk.style(x: 9, y: 2) == Theme.standard.floating)
    #expect(desk.style(x: 8, y: 2) == Theme.standard.text)
    #expect(spot.isFirstResponder)
    desk.scheduler.advance(by: .seconds(2))
    #expect(desk.text == "content")
    #expect(desk.application.toast == nil)
    #expect(desk.scheduler.pending == 0)
  }

  @Test func severalAreShownOneAfterTheOther() {
    let (first, second, third) = (toast("one"), toast("two"), toast("three"))
    for toast in [first, second, third, first] { desk.application.show(toast) }
    #expect(desk.text.contains("one"))
    desk.scheduler.advance(by: .seconds(2))
    #expect(desk.text.contains("two"))
    third.dismiss()
    second.dismiss()
    second.dismiss()
    #expect(desk.text == "content")
    desk.application.show(first)
    #expect(desk.text.contains("one"))
  }

  @Test func itsKeyPerformsTheAction() {
    let deleted = toast("Deleted", action: "Undo")
    desk.application.show(deleted)
    #expect(desk.text == "content\n\n     Deleted  Undo Alt+A")
    spot.takes = { _ in true }
    desk.press("x", "alt+a", "alt+a")
    #expect(log.take() == ["content key x", "did Deleted", "content key alt+a"])
    #expect(desk.text == "content")
    #expect(!deleted.performAction())
    desk.application.show(toast("Plain"))
    desk.press("alt+a")
    #expect(log.take() == ["content key alt+a"])
  }

  @Test func aClickPerformsTheActionOrHides() {
    desk.application.show(toast("Deleted", action: "Undo"))
    desk.application.show(toast("Plain"))
    desk.backend.click("Undo")
    #expect(log.take() == ["did Deleted"])
    desk.backend.click("Plain")
    #expect(desk.text == "content")
    desk.click(12, 2)
    #expect(log.take().count == 2)
  }

  @Test func aWaitingToastHasNoActionYet() {
    let waiting = toast("b", action: "Undo")
    desk.application.show(toast("a", action: "Redo"))
    desk.application.show(waiting)
    #expect(!waiting.performAction())
    desk.press("alt+a", "alt+a")
    #expect(log.take() == ["did a", "did b"])
  }

  @Test func anActionMayShowAnotherToast() {
    let first = Toast("first", action: "Go")
    first.rx.action.observeNext { [desk] in desk.application.show(Toast("second")) }
    desk.application.show(first)
    desk.press("alt+a")
    #expect(desk.text.contains("second"))
  }

  @Test func isAboveDialogsAndEndsWithTheApplication() {
    desk.application.show(toast("Deleted", action: "Undo"))
    desk.application.show(Window(style: .dialog, content: Label("in")))
    #expect(desk.text.contains("Undo"))
    desk.press("alt+a")
    #expect(log.take().contains("did Deleted"))
    let last = toast("last")
    desk.application.show(last)
    desk.application.end()
    #expect(desk.application.toast == nil)
    desk.application.show(last)
    #expect(desk.application.toast == nil)
    #expect(desk.scheduler.pending == 0)
  }

  @Test(arguments: [
    (20, " Delet…  Undo Alt+A"), (16, " D…  Undo Alt+A"), (14, "   Undo Alt+A"), (8, "   Und…"),
    (1, ""), (0, ""),
  ])
  func narrowScreens(width: Int, shown: String) {
    desk.application.show(toast("Deleted", action: "Undo"))
    desk.backend.send(.resize(Size(width: width, height: 4)))
    #expect(desk.lines[2] == shown)
    for height in 0...2 {
      desk.backend.send(.resize(Size(width: width, height: height)))
      #expect(desk.backend.grid.size.height == height)
    }
  }

  // MARK: Ctrl+C

  @Test func controlCSaysHowToQuitWhenNothingIsSelected() {
    let field = TextField("milk")
    desk.window.content = field
    desk.window.makeFirstResponder(field)
    desk.press("ctrl+a", "ctrl+c")
    #expect(desk.backend.clipboard == "milk")
    #expect(desk.application.toast == nil)
    desk.press("right", "ctrl+c", "ctrl+c")
    #expect(desk.text == "milk\n\n         Ctrl+Q quits")
    desk.scheduler.advance(by: .seconds(4))
    #expect(desk.application.toast == nil)
    #expect(!desk.application.isTerminated)
  }

  @Test func controlCMayHaveAnotherMeaning() {
    desk.application.keyBindings["ctrl+c"] = .selectAll
    desk.press("ctrl+c")
    #expect(desk.application.toast == nil)
    desk.application.keyBindings["ctrl+c"] = nil
    desk.press("ctrl+c")
    #expect(desk.application.toast?.message == "Ctrl+Q quits")
    desk.application.toast?.dismiss()
    desk.application.keyBindings["ctrl+q"] = nil
    desk.press("ctrl+c")
    #expect(desk.application.toast == nil)
    desk.application.keyBindings["ctrl+c"] = .quit
    desk.press("ctrl+c")
    #expect(desk.application.isTerminated)
  }
}
