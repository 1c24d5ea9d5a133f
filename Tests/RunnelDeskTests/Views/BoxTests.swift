import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct BoxTests {
  private let box = Box("Fruit", Label("Apple"))

  @Test func drawsABorderWithItsTitle() {
    let desk = Desk(box, width: 14, height: 3)
    #expect(desk.text == "╭─ Fruit ────╮\n│ Apple      │\n╰────────────╯")
    box.rx.title.send("")
    box.lines = .heavy
    box.content = Label("Pear")
    #expect(desk.text == "┏━━━━━━━━━━━━┓\n┃ Pear       ┃\n┗━━━━━━━━━━━━┛")
    box.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == Theme.standard.disabled)
  }

  @Test func wantsRoomForItsContentAndTitle() {
    let room = Size(width: 80, height: 24)
    #expect(box.wantedExtent(in: room) == Extent(width: 11, height: 3))
    box.title = ""
    #expect(box.wantedExtent(in: room) == Extent(width: 9, height: 3))
    box.content = TableView()
    #expect(box.wantedExtent(in: room) == Extent())
    box.content.isHidden = true
    #expect(box.wantedExtent(in: room) == Extent(width: 0, height: 0))
  }

  @Test func itsContentMayMoveElsewhere() {
    let label = box.content
    let desk = Desk(StackView(.vertical, [box]), width: 14, height: 4)
    let outside = StackView(.vertical, [label])
    desk.window.content = outside
    #expect(desk.text == "Apple")
    #expect(box.wantedExtent(in: Size(width: 9, height: 9)) == Extent(width: 0, height: 0))
    box.content = Label("Pear")
    #expect(label.superview === outside)
  }

  @Test(arguments: 0..<8, 0..<5)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    let desk = Desk(Box("世界", TextField("世")), width: width, height: height)
    desk.press("tab", "x")
    #expect(desk.lines.count == height)
  }
}
