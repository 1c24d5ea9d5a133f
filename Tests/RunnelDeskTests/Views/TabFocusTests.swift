import RunnelDesk
import RunnelTesting
import Testing

/// Presses inside of the pages of tabs.
@MainActor
@Suite struct TabFocusTests {
  @Test func removingTheVisibleTabMovesTheFocusToTheNext() {
    let (search, first, second) = (TextField(), TextField("a"), TextField("b"))
    let tabs = TabView(["A": first, "B": second])
    let desk = Desk(StackView(.vertical, [search, tabs]), width: 20, height: 6)
    desk.window.makeFirstResponder(first)
    #expect(tabs.removeTab(at: 0) === first)
    #expect(second.isFirstResponder && tabs.titles == ["B"] && tabs.selectedIndex == 0)
    #expect(tabs.removeTab(at: 0) === second && search.isFirstResponder)
  }

  @Test func pressOnFreeSpaceOfAPageKeepsTheFocus() {
    let field = TextField("Emma")
    let tabs = TabView(["General": StackView(.vertical, [Label("Name"), field]), "More": View()])
    let desk = Desk(tabs, width: 20, height: 6)
    desk.window.makeFirstResponder(field)
    desk.click(1, 1)
    desk.click(1, 5)
    #expect(field.isFirstResponder)
    desk.click(11, 0)
    #expect(tabs.selectedIndex == 1 && tabs.isFirstResponder)
  }
}
