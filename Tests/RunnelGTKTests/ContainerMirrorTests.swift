#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct ContainerMirrorTests {
    // MARK: Box

    @Test func aBoxShowsItsTitleAboveItsContent() throws {
      let box = Box("Contacts", Label("Ada"))
      let shown = try TestApp(box)
      defer { shown.end() }
      #expect(shown.lines[0] == "  Contacts" && shown.lines[1] == "  Ada")
      box.title = ""
      #expect(shown.lines[0] == "" && shown.lines[1] == "  Ada")
    }

    // MARK: Tabs

    private final class Refusal: TabViewDelegate {
      var refused: Int?
      func tabView(_ view: TabView, shouldSelect index: Int) -> Bool { index != refused }
    }

    @Test func aClickOnATitleSelectsTheTab() throws {
      let delegate = Refusal()
      delegate.refused = 2
      let tabs = TabView(["One": Label("first"), "Two": Button("second"), "Three": Label("third")])
      tabs.delegate = delegate
      let shown = try TestApp(tabs)
      defer { shown.end() }
      #expect(shown.lines.prefix(2) == [" One  Two  Three", "first"])
      shown.click(tabs, x: 7)
      #expect(tabs.selectedIndex == 1 && tabs.isFirstResponder)
      #expect(
        shown.lines[1].contains("second") && selected(in: tabs, shown) == [false, true, false])
      shown.click(tabs, x: 12)
      #expect(tabs.selectedIndex == 1 && selected(in: tabs, shown) == [false, true, false])
      try shown.press("left")
      #expect(shown.lines[1] == "first" && selected(in: tabs, shown) == [true, false, false])
      tabs.removeTab(at: 1)
      tabs.setTitle("Last", at: 1)
      #expect(shown.lines[0] == " One  Last")
    }

    /// Returns true for each title that looks selected.
    private func selected(in tabs: TabView, _ shown: TestApp) -> [Bool] {
      shown.settle()
      return shown.widgets(gtk_box_get_type(), of: tabs).filter {
        text(of: gtk_widget_get_css_name($0)) == "tab"
      }.map { gtk_widget_get_state_flags($0).rawValue & GTK_STATE_FLAG_CHECKED.rawValue != 0 }
    }

    // MARK: Scroll view

    @Test func aScrollBarScrollsByRows() throws {
      let text = (1...40).map { "Line \($0)" }.joined(separator: "\n")
      let scrollView = ScrollView(Label(text))
      let shown = try TestApp(scrollView, size: Size(width: 30, height: 8))
      defer { shown.end() }
      let bar = try #require(shown.widgets(gtk_scrollbar_get_type(), of: scrollView).first)
      let adjustment = try #require(gtk_scrollbar_get_adjustment(cast(bar)))
      #expect(shown.lines.prefix(8) == (1...8).map { "Line \($0)" }[...])
      #expect(gtk_adjustment_get_upper(adjustment) == 40)
      #expect(gtk_adjustment_get_page_size(adjustment) == 8)
      gtk_adjustment_set_value(adjustment, 10.4)
      #expect(scrollView.scrollPosition == 10 && shown.lines.first == "Line 11")
      shown.backend.send(.mouse(MouseEvent(.wheel(.down), at: .zero)))
      #expect(scrollView.scrollPosition == 13 && gtk_adjustment_get_value(adjustment) == 13)
      shown.window.makeFirstResponder(scrollView)
      try shown.press("end")
      #expect(shown.lines.last { !$0.isEmpty } == "Line 40")
      scrollView.content = Label("short")
      shown.settle()
      #expect(!Bool(gtk_widget_get_visible(bar)) && shown.lines[0] == "short")
    }

    @Test func theWheelScrollsOverNativeControls() throws {
      let buttons = (1...30).map { Button("Button \($0)") }
      let scrollView = ScrollView(StackView(.vertical, buttons))
      let shown = try TestApp(scrollView, size: Size(width: 30, height: 8))
      defer { shown.end() }
      let mirror = try #require(shown.mirror(of: buttons[0]))
      #expect(mirror.handlesMouse && !mirror.handlesWheel)
      shown.backend.send(.mouse(MouseEvent(.wheel(.down), at: .zero)))
      #expect(scrollView.scrollPosition == 3)
    }

    // MARK: Form

    @Test func aFormShowsLabelsAndMessages() throws {
      let (name, age) = (TextField("Ada"), TextField("12x"))
      let form = Form(["Name": name, "Age": age])
      let shown = try TestApp(form)
      defer { shown.end() }
      #expect(shown.lines.prefix(3) == ["Name  Ada", "", " Age  12x"])
      age.validationMessage = "A number is needed."
      #expect(shown.lines[3] == "      A number is needed.")
      age.validationMessage = nil
      form.labelAlignment = .leading
      #expect(shown.lines.prefix(4) == ["Name  Ada", "", "Age   12x", ""])
      shown.click(form, y: 2)
      #expect(age.isFirstResponder)
      name.isHidden = true
      #expect(shown.lines[0] == "Age  12x")
    }

    // MARK: Labels

    @Test func aLabelShowsEachLineInARow() throws {
      let label = Label("One\nTwo\n世界")
      let shown = try TestApp(label)
      defer { shown.end() }
      #expect(shown.lines.prefix(3) == ["One", "Two", "世界"])
    }

    // MARK: Picture

    @Test func aPictureKeepsItsProportions() throws {
      let image = PixelImage(size: Size(width: 40, height: 20), filledWith: .init(200, 30, 60))
      let view = ImageView(image)
      view.alignment = .leading
      let shown = try TestApp(view, size: Size(width: 80, height: 10))
      defer { shown.end() }
      let picture = try #require(shown.widgets(gtk_picture_get_type(), of: view).first)
      let container = try #require(shown.mirror(of: view)?.container.widget)
      shown.settle { gtk_widget_get_height(picture) > 20 }
      #expect(gtk_widget_get_width(picture) == gtk_widget_get_height(picture) * 2)
      #expect(gtk_widget_get_height(picture) == gtk_widget_get_height(container))
      view.scaling = .down
      shown.settle { gtk_widget_get_height(picture) == 20 }
      #expect(gtk_widget_get_width(picture) == 40 && gtk_widget_get_height(picture) == 20)
      view.image = nil
      shown.settle()
      #expect(gtk_picture_get_paintable(cast(picture)) == nil)
    }
  }
}
#endif
