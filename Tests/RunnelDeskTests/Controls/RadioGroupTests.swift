import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct RadioGroupTests {
  private final class Delegate: RadioGroupDelegate {
    let log = Log()
    var agrees = true
    var onAsk: () -> Void = {}

    func radioGroup(_ group: RadioGroup, shouldSelect index: Int) -> Bool {
      log.add("\(index)?")
      onAsk()
      return agrees
    }
    func radioGroupDidChange(_ group: RadioGroup) {
      log.add(group.selectedIndex.map { "is \($0)" } ?? "none")
    }
  }

  private let group = RadioGroup(["Mobile", "Home", "世界"])
  private let delegate = Delegate()
  private let desk: Desk

  init() {
    desk = Desk(group, width: 30, height: 4)
    group.delegate = delegate
  }

  // MARK: Keys, mouse, appearance

  @Test(
    arguments: [
      (nil, "space", 0), (nil, "down", 0), (nil, "up", 2), (0, "right", 1), (1, "left", 0),
      (2, "down", 0), (0, "up", 2), (1, "home", 0), (0, "end", 2), (1, "space", 1),
      (1, "pagedown", 1), (1, "enter", 1),
    ] as [(Int?, String, Int?)])
  func keysMoveTheSelection(from: Int?, key: String, to: Int?) {
    desk.window.makeFirstResponder(group)
    group.selectedIndex = from
    desk.press(key)
    #expect(group.selectedIndex == to)
    #expect(delegate.log.take() == (from == to ? [] : ["\(to ?? -1)?", "is \(to ?? -1)"]))
  }

  @Test func aClickSelectsAnOption() {
    desk.backend.click("Home")
    #expect(group.selectedIndex == 1 && group.isFirstResponder)
    desk.click(0, 2)
    #expect(group.selectedIndex == 2)
    desk.click(20, 0)
    desk.click(0, 3)
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.release(.left), x: 1, y: 9)
    #expect(group.selectedIndex == 2)
  }

  @Test func appearanceFollowsItsState() {
    let theme = Theme.standard
    #expect(desk.text == "( ) Mobile\n( ) Home\n( ) 世界")
    group.selectedIndex = 1
    #expect(desk.text == "( ) Mobile\n(•) Home\n( ) 世界")
    desk.window.makeFirstResponder(group)
    #expect([0, 1].map { desk.style(x: 5, y: $0) } == [theme.text, theme.selection])
    group.selectedIndex = nil
    #expect([0, 1].map { desk.style(x: 5, y: $0) } == [theme.selection, theme.text])
    group.isEnabled = false
    #expect(desk.style(x: 5, y: 0) == theme.disabled)
    desk.backend.click("Home")
    #expect(!group.propose(selectedIndex: 1) && group.selectedIndex == nil)
  }

  @Test func aRowContinuesBelowWhenItIsTooLong() {
    group.axis = .horizontal
    #expect(desk.text == "( ) Mobile  ( ) Home  ( ) 世界")
    #expect(group.wantedExtent(in: Size(width: 30, height: 4)) == Extent(width: 30, height: 1))
    desk.backend.send(.resize(Size(width: 22, height: 4)))
    #expect(desk.text == "( ) Mobile  ( ) Home\n( ) 世界")
    #expect(group.wantedExtent(in: Size(width: 22, height: 4)) == Extent(width: 20, height: 2))
    desk.click(5, 1)
    #expect(group.selectedIndex == 2)
    desk.backend.send(.resize(Size(width: 6, height: 4)))
    #expect(desk.text == "( ) M…\n( ) H…\n(•) …")
  }

  @Test(arguments: 0..<6, 0..<3)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.press("tab", "down", "down")
    desk.click(0, 0)
    #expect(desk.lines.count == height)
  }

  // MARK: Options

  @Test(arguments: [-1, 3, .min, .max])
  func anOptionThatDoesNotExistIsNotSelected(index: Int) {
    group.selectedIndex = 1
    #expect(!group.propose(selectedIndex: index) && group.selectedIndex == 1)
    group.selectedIndex = index
    #expect(group.selectedIndex == nil)
    #expect(delegate.log.take() == [])
  }

  @Test func theSelectionEndsWithItsOption() {
    group.selectedIndex = 2
    group.rx.titles.send(["a", "b", "c"])
    #expect(group.selectedIndex == 2)
    group.titles = ["a"]
    #expect(group.selectedIndex == nil)
    group.titles = []
    desk.press("tab", "down", "space", "end")
    #expect(!group.isFirstResponder && desk.text == "")
    #expect(group.wantedExtent(in: .zero) == Extent(width: 0, height: 0))
  }

  // MARK: Delegate

  @Test func aDelegateMayRefuseOrInterfere() {
    delegate.agrees = false
    desk.backend.click("Home")
    #expect(group.selectedIndex == nil)
    delegate.agrees = true
    delegate.onAsk = { [group] in group.titles = ["one"] }
    #expect(!group.propose(selectedIndex: 2))
    #expect(group.selectedIndex == nil)
    delegate.onAsk = { [group] in group.selectedIndex = 0 }
    group.titles = ["a", "b"]
    #expect(!group.propose(selectedIndex: 1) && group.selectedIndex == 0)
    delegate.onAsk = { [group] in group.removeFromSuperview() }
    desk.backend.click("b")
    #expect(desk.text == "")
    #expect(delegate.log.take() == ["1?", "2?", "1?", "1?", "is 1"])
  }

  // MARK: Streams

  @Test func followsAProperty() {
    let index = Property<Int?>(1)
    group.rx.selectedIndex.bindTwoWay(to: index)
    #expect(group.selectedIndex == 1)
    desk.backend.click("Mobile")
    #expect(index.value == 0)
    index.value = nil
    #expect(group.selectedIndex == nil)
  }

  @Test func itsStreamCompletesOnRelease() {
    var group: RadioGroup? = RadioGroup(["a"])
    let values = group?.rx.selectedIndex.record()
    group = nil
    #expect(values?.events == [.next(nil), .completed])
  }
}
