import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct LabelTests {
  @Test func hasOneRowPerLine() {
    let room = Size(width: 9, height: 9)
    #expect(Label("a\nbcd\r\n").wantedExtent(in: room) == Extent(width: 3, height: 3))
    #expect(Label().wantedExtent(in: room) == Extent(width: 0, height: 1))
    #expect(Label("世界").wantedExtent(in: room).width == 4)
    #expect(Desk(Label("one\ntwo")).text == "one\ntwo")
  }

  @Test func aWideTextIsTruncated() {
    #expect(Desk(Label("a long text"), width: 6).text == "a lon…")
  }

  @Test func aWideTextMayWrap() {
    let label = Label("a long text")
    label.wraps = true
    #expect(label.wantedExtent(in: Size(width: 6, height: 9)) == Extent(width: 6, height: 2))
    #expect(Desk(label, width: 6).text == "a long\ntext")
  }

  @Test func followsItsAlignment() {
    let label = Label("ab\nc")
    let desk = Desk(label, width: 6)
    label.alignment = .trailing
    #expect(desk.text == "    ab\n     c")
    label.alignment = .center
    #expect(desk.text == "  ab\n  c")
  }

  @Test func hasAFaintAndADisabledStyle() {
    let label = Label("a")
    let row = StackView(.vertical, [label])
    let desk = Desk(row)
    #expect(desk.style(x: 0, y: 0) == desk.application.theme.text)
    label.isFaint = true
    #expect(desk.style(x: 0, y: 0) == desk.application.theme.faint)
    row.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == desk.application.theme.disabled)
  }

  @Test(arguments: [Label.Style.heading, .title])
  func headingIsBold(_ style: Label.Style) {
    let label = Label("a", style: style)
    let desk = Desk(label)
    #expect(desk.style(x: 0, y: 0) == desk.application.theme.text.adding(.bold))
    label.isFaint = true
    #expect(desk.style(x: 0, y: 0) == desk.application.theme.faint.adding(.bold))
  }

  @Test func followsAProperty() {
    let label = Label("none")
    let text = Property("one")
    let desk = Desk(label)
    text.bind(to: label.rx.text)
    #expect(desk.text == "one")
    text.value = "two"
    #expect(desk.text == "two")
  }

  @Test func settingTheSameTextDoesNotRedraw() {
    let label = Label("one")
    let desk = Desk(label)
    _ = desk.text
    label.text = "one"
    _ = desk.text
    #expect(desk.backend.pictureCount == 1)
  }
}
