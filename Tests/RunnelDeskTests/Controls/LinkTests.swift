import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct LinkTests {
  private let link = Link("漢字 help", target: "https://example.org")
  private let desk: Desk

  init() { desk = Desk(link) }

  @Test func keysAndClicksSendTheTarget() {
    let taps = link.rx.tap.record()
    desk.window.makeFirstResponder(link)
    desk.backend.press("enter")
    link.target = "other"
    desk.backend.press("space")
    desk.backend.click("help")
    // Next to the text.
    desk.backend.click(Point(x: 9, y: 0))
    desk.backend.click(Point(x: 12, y: 0))
    // The button is released elsewhere.
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.release(.left), x: 1, y: 9)
    #expect(taps.elements == ["https://example.org", "other", "other"])
  }

  @Test func appearanceFollowsItsState() {
    let theme = Theme.standard
    #expect(desk.text == "漢字 help")
    #expect(desk.style(x: 0, y: 0) == theme.text.adding(.underline))
    desk.window.makeFirstResponder(link)
    #expect(desk.style(x: 0, y: 0) == theme.selection.adding(.underline))
    link.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == theme.disabled.adding(.underline))
    let taps = link.rx.tap.record()
    desk.backend.click("help")
    #expect(!link.press() && taps.elements == [])
  }

  @Test(arguments: [(0, ""), (1, "…"), (3, "漢…"), (9, "漢字 help")])
  func narrowLinksAreTruncated(width: Int, expected: String) {
    #expect(Desk(link, width: width, height: 1).text == expected)
  }

  @Test func observerMayRemoveIt() {
    link.rx.tap.observeNext { [link] _ in link.removeFromSuperview() }
    desk.backend.click("help")
    #expect(desk.text == "")
  }

  @Test func titleIsTheDefaultTargetAndFollowsAProperty() {
    let link = Link("https://example.org")
    #expect(link.target == "https://example.org")
    let desk = Desk(link)
    Property("Help").bind(to: link.rx.title)
    Property("page").bind(to: link.rx.target)
    #expect(desk.text == "Help" && link.target == "page")
    #expect(desk.backend.readLines().contains("Window, window"))
    desk.window.makeFirstResponder(link)
    #expect(desk.backend.readLines() == ["Help, link"])
  }
}
