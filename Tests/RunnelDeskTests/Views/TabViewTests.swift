import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TabViewTests {
  private let name = TextField("Emma")
  private let email = TextField("emma@home")
  private let notes = TextView("tall")
  private let tabs: TabView
  private let desk: Desk

  init() {
    tabs = TabView(["General": StackView(.vertical, [name, email]), "Notes": notes, "世界": View()])
    desk = Desk(tabs, width: 24, height: 4)
  }

  // MARK: - Display

  @Test func showsTheSelectedTab() {
    #expect(desk.text == " General  Notes  世界\nEmma\nemma@home")
    #expect(desk.style(x: 1, y: 0) == Theme.standard.inactiveSelection)
    tabs.selectedIndex = 1
    #expect(desk.text == " General  Notes  世界\ntall")
    #expect(desk.style(x: 1, y: 0) == Theme.standard.text)
    tabs.selectedIndex = 9
    #expect(tabs.selectedIndex == 2 && desk.lines[1] == "")
    tabs.isEnabled = false
    #expect(desk.style(x: 1, y: 0) == Theme.standard.disabled)
  }

  @Test func theSelectedTitleIsVisibleInANarrowView() {
    desk.backend.send(.resize(Size(width: 12, height: 2)))
    #expect(desk.lines[0] == " General  N…")
    tabs.selectedIndex = 2
    #expect(desk.lines[0] == " 世界")
    tabs.selectedIndex = 1
    #expect(desk.lines[0] == " Notes  世界")
  }

  @Test(arguments: 0..<4, 0..<3)
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.press("tab", "tab", "ctrl+pagedown", "ctrl+pagedown")
    desk.click(0, 0)
    #expect(desk.lines.count == height)
  }

  @Test func wantsTheExtentOfItsLargestTab() {
    let room = Size(width: 40, height: 20)
    #expect(tabs.wantedExtent(in: room) == Extent())
    let small = TabView(["A": Label("one\ntwo"), "B": Label("seventeen")])
    #expect(small.wantedExtent(in: room) == Extent(width: 9, height: 3))
    #expect(TabView().wantedExtent(in: room) == Extent(width: 0, height: 1))
  }

  // MARK: - Selecting

  @Test func keysSelectTabsFromAnywhere() {
    desk.window.makeFirstResponder(email)
    let indices = tabs.rx.selectedIndex.record()
    desk.press("ctrl+pagedown")
    #expect(notes.isFirstResponder && tabs.selectedIndex == 1)
    desk.press("ctrl+pagedown")
    #expect(tabs.isFirstResponder && tabs.selectedIndex == 2)
    desk.press("ctrl+pagedown", "ctrl+pageup", "left", "left", "x", "home", "end")
    #expect(indices.elements == [0, 1, 2, 0, 2, 1, 0, 2])
  }

  @Test func aTabRemembersItsFocus() {
    desk.window.makeFirstResponder(email)
    desk.press("ctrl+pagedown", "ctrl+pageup")
    #expect(email.isFirstResponder)
    tabs.selectedIndex = 1
    #expect(notes.isFirstResponder)
    email.isEnabled = false
    tabs.selectedIndex = 0
    #expect(name.isFirstResponder)
  }

  @Test func aClickOnATitleSelectsItsTab() {
    desk.backend.click("Notes")
    #expect(tabs.selectedIndex == 1 && tabs.isFirstResponder)
    desk.click(22, 0)
    #expect(tabs.selectedIndex == 1)
    desk.press("tab")
    #expect(notes.isFirstResponder)
  }

  @Test func hiddenTabsCannotBeReached() {
    desk.press("tab", "tab", "tab", "tab")
    #expect(tabs.isFirstResponder)
    #expect(!desk.window.makeFirstResponder(notes))
  }

  // MARK: - Tabs

  @Test func tabsCanBeAddedRenamedAndRemoved() {
    tabs.addTab("Last", Label("end"))
    tabs.setTitle("All", at: 0)
    tabs.setTitle("none", at: 9)
    #expect(tabs.titles == ["All", "Notes", "世界", "Last"])
    tabs.selectedIndex = 3
    #expect(tabs.removeTab(at: 0) is StackView && tabs.selectedIndex == 2)
    #expect(desk.lines[1] == "end")
    tabs.removeTab(at: 2)
    #expect(tabs.selectedIndex == 1)
    #expect(tabs.removeTab(at: 0) === notes && notes.superview == nil)
    #expect(tabs.removeTab(at: 7) == nil)
    tabs.removeTab(at: 0)
    desk.press("tab", "ctrl+pagedown")
    #expect(tabs.titles == [] && desk.text == "" && !tabs.isFirstResponder)
    #expect(!tabs.propose(selectedIndex: 0))
    tabs.addTab("New", name)
    #expect(desk.text == " New\nEmma")
  }

  // MARK: - Delegate

  @Test func aDelegateMayRefuseOrInterfere() {
    let changes = tabs.rx.selectedIndex.changed.record()
    let veto = tabs.rDelegate.answer(\.tabView_shouldSelect) { _, index in index == 2 }
    #expect(!tabs.propose(selectedIndex: 1) && tabs.propose(selectedIndex: 2))
    veto.dispose()
    let removal = tabs.rDelegate.answer(\.tabView_shouldSelect) { tabs, _ in
      tabs.removeTab(at: 0)
      return true
    }
    #expect(!tabs.propose(selectedIndex: 0) && tabs.selectedIndex == 1)
    removal.dispose()
    #expect(changes.elements == [2])
    tabs.rDelegate.stream(\.tabViewDidChange).observeNext { $0.removeFromSuperview() }
    desk.backend.click("Notes")
    #expect(desk.text == "")
  }

  /// For example a field with an invalid value.
  @Test func aFieldThatKeepsTheFocusKeepsItsTab() {
    var asked = 0
    desk.window.makeFirstResponder(name)
    let veto = name.rDelegate.answer(\.textFieldShouldEndEditing) { _ in
      asked += 1
      return false
    }
    desk.press("ctrl+pagedown")
    #expect(tabs.selectedIndex == 0 && name.isFirstResponder && asked == 1)
    #expect(desk.lines[1] == "Emma")
    veto.dispose()
    desk.press("ctrl+pagedown")
    #expect(tabs.selectedIndex == 1 && notes.isFirstResponder)
  }

  @Test func followsAProperty() {
    let index = Property(1)
    tabs.rx.selectedIndex.bindTwoWay(to: index)
    #expect(tabs.selectedIndex == 1)
    desk.backend.click("General")
    #expect(index.value == 0)
  }
}
