import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct AlertTests {
  private final class Delegate: AlertDelegate {
    let log = Log()
    var agrees = true

    func alert(_ alert: Alert, shouldCloseWith button: AlertButton) -> Bool {
      log.add("\(button.title)?")
      return agrees
    }
    func alert(_ alert: Alert, didCloseWith button: AlertButton?) {
      log.add("closed with \(button?.title ?? "nothing")")
    }
  }

  private let alert = Alert("Delete?", message: "It goes to the trash.")
  private let desk = Desk(Spot("behind"), width: 34, height: 9)

  init() {
    alert.buttons = [.cancel("Keep"), .destructive("Delete"), .default("Ask")]
  }

  private func ask() -> Recorder<AlertButton, Never> {
    alert.ask(in: desk.application).stream.record()
  }

  // MARK: Appearance

  @Test func appearsInFrontOfAllWindows() {
    _ = ask()
    #expect(
      desk.text == """
        behind

         ╭─ Delete? ───────────────────╮
         │ It goes to the trash.       │
         │                             │
         │ [ Keep ] [ Delete ] < Ask > │
         ╰─────────────────────────────╯
        """)
    #expect(desk.backend.grid.cursor == nil)
  }

  // MARK: Answers

  @Test(arguments: [
    (["enter"], "Ask"), (["escape"], "Keep"), (["left", "enter"], "Delete"),
    (["left", "left", "left", "space"], "Keep"), (["tab", "enter"], "Keep"),
    (["backtab", "enter"], "Delete"), (["up", "down", "right", "enter"], "Ask"),
  ])
  func keysChooseAnAnswer(_ keys: [String], _ title: String) {
    let answer = ask()
    for key in keys { desk.backend.press(key) }
    #expect(answer.elements.map(\.title) == [title])
    #expect(answer.isCompleted)
    #expect(desk.application.keyWindow === desk.window)
  }

  @Test func aClickChoosesAnAnswer() {
    let answer = ask()
    desk.backend.click("Delete ]")
    #expect(answer.elements.map(\.role) == [.destructive])
  }

  @Test func returnAndEscapePressTheOnlyButton() {
    for key in ["enter", "escape", "space"] {
      let answer = Alert("Saved").ask(in: desk.application).stream.record()
      desk.backend.press(key)
      #expect(answer.elements.map(\.title) == ["OK"])
    }
  }

  @Test func withoutADefaultTheSafestButtonHasFocus() {
    alert.buttons = [.destructive("Delete"), .cancel("Keep")]
    let answer = ask()
    desk.backend.press("enter")
    #expect(answer.elements.map(\.title) == ["Keep"])
    alert.buttons = [.destructive("Delete"), AlertButton("Other")]
    let second = ask()
    desk.backend.press("escape")
    #expect(second.events.isEmpty)
    desk.backend.press("enter")
    #expect(second.elements.map(\.title) == ["Delete"])
    alert.buttons = []
    let third = ask()
    desk.backend.press("enter")
    desk.backend.press("escape")
    #expect(third.events.isEmpty)
    #expect(desk.text.contains("Delete?"))
  }

  // MARK: Asking

  @Test func appearsWhenObserved() {
    let question = alert.ask(in: desk.application)
    #expect(desk.application.windows.count == 1)
    let first = question.stream.record()
    desk.backend.press("escape")
    let second = question.stream.record()
    desk.backend.press("enter")
    #expect(first.elements.map(\.title) == ["Keep"])
    #expect(second.elements.map(\.title) == ["Ask"])
  }

  @Test func disposingClosesTheAlert() {
    let delegate = Delegate()
    alert.delegate = delegate
    let answer = ask()
    answer.dispose()
    #expect(desk.application.windows.count == 1)
    #expect(answer.events.isEmpty)
    #expect(delegate.log.take() == ["closed with nothing"])
  }

  @Test func anAnswerMayShowAnotherAlert() {
    var titles: [String] = []
    alert.ask(in: desk.application).observe(succeeded: { [desk] button in
      titles.append(button?.title ?? "-")
      Alert("Really?").ask(in: desk.application).observe(succeeded: {
        titles.append($0?.title ?? "-")
      })
    })
    desk.backend.press("left")
    desk.backend.press("enter")
    #expect(desk.text.contains("Really?"))
    desk.backend.press("enter")
    #expect(titles == ["Delete", "OK"])
    #expect(desk.application.windows.count == 1)
  }

  @Test func terminatingTheApplicationGivesNoAnswer() {
    let answer = ask()
    desk.application.terminate()
    #expect(answer.elements.isEmpty && answer.isCompleted)
    let late = ask()
    #expect(late.elements.isEmpty && late.isCompleted)
  }

  @Test func isReleasedAfterTheAnswer() {
    weak var held: Alert?
    do {
      let alert = Alert("Gone")
      held = alert
      alert.ask(in: desk.application).observe()
    }
    #expect(held != nil)
    desk.backend.press("enter")
    #expect(held == nil)
  }

  // MARK: Delegate

  @Test func aDelegateOrAHandlerMayKeepItOpen() {
    let delegate = Delegate()
    alert.delegate = delegate
    delegate.agrees = false
    let answer = ask()
    desk.backend.press("enter")
    #expect(answer.events.isEmpty)
    #expect(delegate.log.take() == ["Ask?"])
    let closed = alert.rDelegate.stream(\.alert_didCloseWith).map { $1?.title }.record()
    alert.rDelegate.answer(\.alert_shouldCloseWith) { _, button in button.role == .cancel }
    desk.backend.press("enter")
    #expect(answer.events.isEmpty)
    desk.backend.press("escape")
    #expect(answer.elements.map(\.title) == ["Keep"])
    #expect(closed.elements == ["Keep"])
    #expect(delegate.log.take() == ["closed with Keep"])
  }

  @Test func aHandlerMayCloseTheAlert() {
    let answer = ask()
    alert.rDelegate.answer(\.alert_shouldCloseWith) { _, _ in
      answer.dispose()
      return true
    }
    desk.backend.press("enter")
    #expect(answer.events.isEmpty)
    #expect(desk.application.windows.count == 1)
  }

  // MARK: Accessory and layout

  @Test func theAccessoryHasTheFocus() {
    let spot = Spot("name")
    spot.wanted = Extent(width: nil, height: 1)
    alert.accessory = spot
    alert.message = ""
    let answer = ask()
    #expect(spot.isFirstResponder)
    #expect(desk.text.contains("│ name"))
    desk.backend.press("enter")
    #expect(answer.elements.map(\.title) == ["Ask"])
    #expect(spot.superview == nil)
    let second = ask()
    #expect(spot.isFirstResponder)
    desk.backend.press("left")
    #expect(spot.isFirstResponder)
    desk.backend.press("escape")
    #expect(second.elements.map(\.title) == ["Keep"])
  }

  @Test func longMessagesAreWrapped() {
    alert.message = "several words several words several words"
    alert.buttons = [.default("OK")]
    desk.backend.send(.resize(Size(width: 22, height: 10)))
    _ = ask()
    #expect(
      desk.text == """
        behind
          ╭─ Delete? ─────╮
          │ several words │
          │ several words │
          │ several words │
          │               │
          │        < OK > │
          ╰───────────────╯
        """)
  }

  @Test func buttonsThatDoNotFitAreStacked() {
    _ = ask()
    _ = desk.text
    desk.backend.send(.resize(Size(width: 16, height: 9)))
    #expect(
      desk.text == """
        ╭─ Delete? ────╮
        │ It goes to   │
        │ the trash.   │
        │              │
        │   [ Keep ]   │
        │  [ Delete ]  │
        │   < Ask >    │
        ╰──────────────╯
        """)
    for size in [Size(width: 16, height: 6), Size(width: 5, height: 4), .zero] {
      desk.backend.send(.resize(size))
      #expect(desk.backend.grid.size == size)
    }
    desk.backend.send(.resize(Size(width: 40, height: 9)))
    #expect(desk.text.contains("[ Keep ] [ Delete ] < Ask >"))
  }

  @Test func theAccessoryIsReleasedAfterItsRemoval() {
    var isGone = false
    func release() { isGone = alert.accessory == nil }
    alert.accessory = ReleasingView { release() }
    alert.accessory = nil
    #expect(isGone)
  }
}
