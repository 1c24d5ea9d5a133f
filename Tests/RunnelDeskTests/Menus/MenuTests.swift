import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct MenuTests {
  private final class Delegate: MenuDelegate {
    let log = Log()
    var agrees = true
    var onCall: (String) -> Void = { _ in }

    func menuWillOpen(_ menu: Menu) {
      log.add("\(menu.title) opens")
      onCall("opens")
    }
    func menuDidClose(_ menu: Menu) {
      log.add("\(menu.title) closed")
      onCall("closed")
    }
    func menu(_ menu: Menu, shouldActivate item: MenuItem) -> Bool {
      log.add("\(item.title)?")
      return agrees
    }
  }

  private let item = MenuItem("Item", key: "ctrl+k")
  private let menu: Menu
  private let other = Menu("Other", [MenuItem("More")])
  private let bar: MenuBar
  private let delegate = Delegate()
  private let desk = Desk(View(), width: 24, height: 6)

  init() {
    menu = Menu("Menu", [item])
    bar = MenuBar([menu, other])
    menu.delegate = delegate
    other.delegate = delegate
    desk.window.menuBar = bar
  }

  // MARK: Delegate

  @Test func notifiesItsDelegateWhenItOpensAndCloses() {
    bar.open(menu)
    bar.open(menu)
    bar.open(other)
    bar.close()
    bar.close()
    #expect(
      delegate.log.take() == ["Menu opens", "Menu closed", "Other opens", "Other closed"])
    bar.open(Menu("Elsewhere"))
    #expect(bar.openMenu == nil)
  }

  @Test func itemsMayChangeWhenItOpens() {
    delegate.onCall = { [menu] _ in menu.items = [MenuItem("Late"), MenuItem("Later")] }
    desk.backend.press("f10")
    #expect(desk.text.contains("│  Later │"))
    #expect(item.menu == nil)
  }

  @Test func itsDelegateMayOpenAnotherMenuOrClose() {
    delegate.onCall = { [bar, other] in if $0 == "opens" { bar.open(other) } }
    bar.open(menu)
    #expect(bar.openMenu === other)
    #expect(desk.text.contains("More"))
    bar.close()
    delegate.onCall = { [bar] in if $0 == "opens" { bar.close() } }
    desk.backend.press("f10")
    #expect(bar.openMenu == nil)
    #expect(!desk.text.contains("Item"))
    delegate.onCall = { [bar, other] in if $0 == "closed" { bar.open(other) } }
    desk.backend.press("escape")
    #expect(bar.openMenu == nil)
  }

  @Test func aDelegateOrAHandlerMayRefuseAnItem() {
    let activations = item.rx.activate.record()
    delegate.agrees = false
    desk.backend.press("ctrl+k")
    item.activate()
    bar.open(menu)
    desk.backend.click("Item")
    #expect(activations.elements.isEmpty)
    #expect(delegate.log.entries.filter { $0 == "Item?" }.count == 3)
    let answer = menu.rDelegate.answer(\.menu_shouldActivate) { _, item in item.title == "Item" }
    desk.backend.press("ctrl+k")
    #expect(activations.elements.count == 1)
    answer.dispose()
    desk.backend.press("ctrl+k")
    #expect(activations.elements.count == 1)
  }

  @Test func itsStreamsReceiveDelegateCalls() {
    let opened = menu.rDelegate.stream(\.menuWillOpen).map(\.title).record()
    bar.open(menu)
    #expect(opened.elements == ["Menu"])
    #expect(delegate.log.take() == ["Menu opens"])
  }

  // MARK: Items

  @Test func onlyAnEnabledItemIsActivated() {
    let activations = item.rx.activate.record()
    #expect(activations.events.isEmpty)
    item.activate()
    item.isEnabled = false
    item.activate()
    MenuItem.separator.activate()
    #expect(activations.elements.count == 1)
    let loose = MenuItem("Loose")
    let others = loose.rx.activate.record()
    loose.activate()
    #expect(others.elements.count == 1)
  }

  @Test func anItemFollowsProperties() {
    let isOn = Property(true)
    let title = Property("One")
    title.bind(to: item.rx.title)
    isOn.bind(to: item.rx.isChecked)
    bar.open(menu)
    #expect(desk.text.contains("│✓ One  Ctrl+K │"))
    title.value = "Two"
    isOn.value = false
    #expect(desk.text.contains("│  Two  Ctrl+K │"))
    isOn.bind(to: item.rx.isEnabled)
    #expect(desk.style(x: 3, y: 2) == Theme.standard.menu.adding(.dim))
  }

  @Test func itsStreamsCompleteWithTheItem() {
    var item: MenuItem? = MenuItem("Gone")
    weak let held = item
    let activations = item?.rx.activate.record()
    let menu = Menu("Menu", [item].compactMap { $0 })
    item = nil
    #expect(held != nil)
    menu.items = []
    #expect(held == nil)
    #expect(activations?.isCompleted == true)
  }

  @Test func anUnknownKeyTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = await MainActor.run { MenuItem("Item", key: "hyper+x") }
    }
  }

  // MARK: Commands

  @Test func itemLetsFocusedViewPerformItsCommand() {
    let (text, paste) = (TextView("milk"), MenuItem("Paste", key: "ctrl+k", command: .paste))
    desk.window.content = text
    menu.items = [paste, MenuItem("All", key: "ctrl+l", command: .selectAll)]
    desk.backend.clipboard = "bread"
    #expect(paste.activate() && text.text == "milk")
    desk.window.makeFirstResponder(text)
    for key in ["ctrl+l", "ctrl+k"] { desk.backend.press(key) }
    #expect(text.text == "bread")
    delegate.agrees = false
    #expect(!paste.activate() && text.text == "bread")
    #expect(!desk.window.tryToPerform(.cancel) && !MenuItem("Alone", command: .paste).isSeparator)
  }
}
