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

  // MARK: Links of the terminal

  @Test(arguments: [
    ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
    ("HTTP://x", "HTTP://x"), ("mailto:a@b", "mailto:a@b"),
    ("file:///tmp/a b", "file:///tmp/a%20b"),
    ("https://ü/\u{1B}\\\u{7}\n", "https://%C3%BC/%1B\\%07%0A"), ("page 3", nil), ("", nil),
    ("javascript:x", nil), (":", nil), ("http", nil),
    ("https://" + String(repeating: "x", count: 2_000), nil),
  ])
  func terminalsOpenWebAddressesOnly(target: String, address: String?) {
    link.target = target
    #expect(desk.backend.grid.link(at: .zero) == address)
    #expect(desk.backend.grid.link(at: Point(x: 8, y: 0)) == address)
    #expect(desk.backend.grid.link(at: Point(x: 9, y: 0)) == nil)
    link.isEnabled = false
    #expect(desk.backend.grid.link(at: .zero) == nil)
  }

  @Test func coveredCellsAreNoLink() {
    desk.application.show(Window(style: .dialog, content: Label("a long text")))
    #expect(desk.backend.grid.link(at: .zero) == "https://example.org")
    #expect((2..<18).allSatisfy { desk.backend.grid.link(at: Point(x: $0, y: 1)) == nil })
    link.width = 3
    desk.application.keyWindow?.close()
    desk.backend.send(.resize(Size(width: 3, height: 1)))
    #expect(desk.backend.grid.link(at: Point(x: 2, y: 0)) == "https://example.org")
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
