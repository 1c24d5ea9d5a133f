#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// Controls that the mouse of the display uses.
  @MainActor
  @Suite(.enabled(if: Mouse.isAvailable)) struct RealMouseTests {
    @Test func radioButtonsAndSwitchesFollowTheMouse() throws {
      let group = RadioGroup(["Mobile", "Home"], selectedIndex: 0)
      let control = Switch("Wi-Fi")
      let app = try TestApp(StackView(.vertical, [Button("OK"), group, control]))
      defer { app.end() }
      let option = try #require(app.widgets(gtk_check_button_get_type(), of: group).last)
      try Mouse.click(option, in: app)
      app.settle { group.selectedIndex == 1 }
      #expect(group.selectedIndex == 1 && group.isFirstResponder && app.focus == option)
      try Mouse.click(try #require(app.widgets(gtk_switch_get_type(), of: control).first), in: app)
      app.settle { control.isOn }
      #expect(control.isOn && control.isFirstResponder)
      try Mouse.click(try #require(app.widgets(gtk_label_get_type(), of: control).last), in: app)
      app.settle { !control.isOn }
      #expect(!control.isOn)
    }

    @Test func aClickChecksATask() throws {
      let editor = TextView("- [ ] milk")
      editor.rDelegate.answer(\.textView_didPressAt_with) { editor, position, _ in
        editor.toggleTask(at: position)
      }
      let app = try TestApp(StackView(.vertical, [Button("OK"), editor]))
      defer { app.end() }
      let mirror = try app.mirror(editor)
      func press(column: Int) throws -> Bool {
        var (area, place) = (GdkRectangle(), GtkTextIter())
        let view: UnsafeMutablePointer<GtkTextView> = cast(mirror.focusWidget)
        gtk_text_buffer_get_iter_at_offset(gtk_text_view_get_buffer(view), &place, gint(column))
        gtk_text_view_get_iter_location(view, &place, &area)
        let before = editor.text
        try Mouse.click(mirror.focusWidget, x: Int(area.x) + 2, y: Int(area.y) + 2, in: app)
        app.settle { editor.text != before || editor.selection.head.offset == column }
        return editor.text != before
      }
      #expect(try press(column: 3) && editor.text == "- [x] milk")
      #expect(try press(column: 4) && editor.text == "- [ ] milk")
      // Elsewhere a click moves the caret.
      #expect(try !press(column: 6))
      #expect(editor.selection.head.offset == 6)
    }

    /// The native menu with Cut, Copy and Paste opens, unless the app has a menu for the view.
    @Test func textHasAContextMenu() throws {
      let (field, view) = (TextField("milk"), TextView("tea"))
      view.isEditable = false
      let app = try TestApp(StackView(.vertical, [Button("OK"), field, view]))
      defer { app.end() }
      for control in [field, view] as [View] {
        let native = try app.native(control)
        func menus() -> [Widget] {
          app.widgets(gtk_popover_menu_get_type(), of: control)
            .filter { gtk_widget_get_mapped($0) != 0 }
        }
        #expect(menus().isEmpty)
        try Mouse.click(native, button: 3, in: app)
        app.settle { !menus().isEmpty }
        #expect(menus().count == 1)
        for menu in menus() { gtk_popover_popdown(cast(menu)) }
        app.settle { menus().isEmpty }
      }
      field.contextMenu = Menu("", [MenuItem("Own item")])
      try Mouse.click(try app.native(field), button: 3, in: app)
      app.settle { app.lines.contains { $0.contains("Own item") } }
      #expect(app.lines.contains { $0.contains("Own item") })
    }

    /// The menu of a native widget changes the clipboard, and the app pastes the new text.
    @Test func nativeMenuCopies() throws {
      let field = TextField("milk")
      let app = try TestApp(StackView(.vertical, [field, Button("OK")]))
      defer { app.end() }
      app.backend.clipboard = "old"
      app.window.makeFirstResponder(field)
      field.selection = TextSelection(field.document.bounds)
      app.settle()
      let text = try #require(app.widgets(gtk_text_get_type(), of: field).first)
      gtk_widget_activate_action_variant(text, "clipboard.copy", nil)
      app.settle { app.backend.clipboard == "milk" }
      #expect(app.backend.clipboard == "milk")
      field.text = ""
      try app.press("ctrl+v")
      #expect(field.text == "milk")
    }

    @Test func theKnobOfASliderIsDragged() throws {
      let slider = Slider(0)
      let app = try TestApp(StackView(.vertical, [Button("OK"), slider]))
      defer { app.end() }
      let scale = try #require(app.widgets(gtk_scale_get_type(), of: slider).first)
      try Mouse.drag(scale, from: 0.03, to: 0.5, in: app)
      app.settle { slider.value > 0.4 }
      #expect(abs(slider.value - 0.5) < 0.05 && slider.isFirstResponder)
      slider.rDelegate.answer(\.slider_shouldChangeTo) { _, value in value < 0.6 }
      try Mouse.drag(scale, from: 0.5, to: 0.9, in: app)
      app.settle()
      #expect(slider.value < 0.6 && gtk_range_get_value(cast(scale)) == slider.value)
    }

    @Test func aStepperIsPressedWithTheMouse() throws {
      let stepper = Stepper(1, in: 1...9)
      let app = try TestApp(StackView(.vertical, [Button("OK"), stepper]))
      defer { app.end() }
      let more = try #require(app.widgets(gtk_button_get_type(), of: stepper).last)
      try Mouse.click(more, in: app)
      app.settle { stepper.value == 2 }
      #expect(stepper.value == 2 && stepper.isFirstResponder)
    }

    @Test func aMenuOfChoicesOpensAndCloses() throws {
      let button = PopUpButton(["Low", "Normal", "High"])
      let comboBox = ComboBox("Inbox", choices: ["Inbox", "Archive"])
      let app = try TestApp(StackView(.vertical, [Button("OK"), button, comboBox]))
      defer { app.end() }
      try Mouse.click(try app.native(button), in: app)
      app.settle { app.lines.contains { $0.contains("High") } }
      try Mouse.click(text: "High", in: app)
      app.settle { button.selectedIndex == 2 }
      #expect(button.selectedIndex == 2 && button.isFirstResponder)
      let arrow = try #require(app.widgets(gtk_button_get_type(), of: comboBox).last)
      try Mouse.click(arrow, in: app)
      app.settle { app.lines.contains { $0.contains("Archive") } }
      try Mouse.click(text: "Archive", in: app)
      app.settle { comboBox.text == "Archive" }
      #expect(comboBox.text == "Archive" && comboBox.field.isFirstResponder)
    }

    /// A layout of the window below an open menu lets GTK repeat the last movement there.
    @Test func aMenuOverAChangingTextIsClicked() throws {
      let editor = TextView("[[Mi")
      let label = Label("")
      let app = try TestApp(StackView(.vertical, [editor, label]))
      defer { app.end() }
      let typed = TextPosition(line: 0, offset: 2)..<editor.document.end
      editor.selection = TextSelection(caret: editor.document.end)
      editor.complete(typed, from: ["Milk", "Minor", "Mint"], closing: "]]")
      app.settle { app.lines.contains { $0.contains("Mint") } }
      try Mouse.move(overText: "Minor", in: app)
      try Mouse.move(overText: "Mint", in: app)
      app.settle { (app.window.overlay as? MenuPanel)?.current?.title == "Mint" }
      label.text = "over the menu\nand more"
      app.settle { app.lines.contains { $0.contains("over the menu") } }
      try Mouse.click(in: app)
      app.settle { editor.text == "[[Mint]]" }
      #expect(editor.text == "[[Mint]]" && app.window.overlay == nil)
    }

    @Test func tabsLinksAndLabelsFollowTheMouse() throws {
      let link = Link("Online help")
      let form = Form(["Name": TextField(), "Age": TextField()])
      let tabs = TabView(["One": link, "Two": form])
      let app = try TestApp(tabs)
      defer { app.end() }
      var count = 0
      let observation = link.rx.tap.observeNext { _ in count += 1 }
      defer { observation.dispose() }
      try Mouse.click(
        try #require(app.widgets(gtk_link_button_get_type(), of: link).first), in: app)
      app.settle { count == 1 }
      #expect(count == 1 && link.isFirstResponder)
      try Mouse.click(text: "Two", in: app)
      app.settle { tabs.selectedIndex == 1 }
      #expect(tabs.selectedIndex == 1)
      try Mouse.click(text: "Age", in: app)
      app.settle { form.subviews[1].isFirstResponder }
      #expect(form.subviews[1].isFirstResponder)
    }

    /// A text that was just opened has a top that the program has set.
    @Test func theWheelScrollsAText() throws {
      let editor = TextView((0..<200).map { "line \($0)" }.joined(separator: "\n"))
      let app = try TestApp(editor)
      defer { app.end() }
      for start in [TextPosition.start, TextPosition(line: 100, offset: 0)] {
        editor.top = start
        app.settle { app.lines.first == "line \(start.line)" }
        try Mouse.turnWheel(over: try app.native(editor), in: app)
        app.settle { editor.top > start }
        #expect(editor.top > start)
      }
    }

    @Test func aScrollBarIsDragged() throws {
      let text = (1...100).map { "Line \($0)" }.joined(separator: "\n")
      let scrollView = ScrollView(Label(text))
      let app = try TestApp(scrollView)
      defer { app.end() }
      let bar = try #require(app.widgets(gtk_scrollbar_get_type(), of: scrollView).first)
      try Mouse.drag(bar, from: 0.05, to: 0.5, in: app)
      app.settle { scrollView.scrollPosition > 30 }
      #expect((30..<70).contains(scrollView.scrollPosition))
      let position = scrollView.scrollPosition
      try Mouse.turnWheel(over: try app.native(scrollView.content), in: app)
      app.settle { scrollView.scrollPosition > position }
      #expect(scrollView.scrollPosition == position + 3)
    }
  }
}
#endif
