#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct FieldSelectionTests {
    @Test func showingAWindowChangesNeitherFocusNorSelection() throws {
      let field = TextField("text")
      field.selection = TextSelection(caret: TextPosition(line: 0, offset: 2))
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      let window = Window(title: "Other", content: StackView(.vertical, [field, Button("Button")]))
      app.application.show(window)
      app.settle()
      #expect(window.firstResponder == nil)
      #expect(field.selection == TextSelection(caret: TextPosition(line: 0, offset: 2)))
      window.makeFirstResponder(field)
      app.settle()
      #expect(field.selection == TextSelection(caret: TextPosition(line: 0, offset: 2)))
    }

    @Test(arguments: [false, true])
    func caretIsAtTheHeadOfASelection(isInDialog: Bool) throws {
      let field = TextField("naïve")
      let app = try TestApp(isInDialog ? Label("behind") : field)
      defer { app.end() }
      if isInDialog {
        app.application.show(Window(title: "Other", style: .dialog, content: field))
      }
      field.window?.makeFirstResponder(field)
      app.settle()
      try app.press("end", "shift+left", "shift+left")
      #expect(field.selection.head.offset == 4)
      let inner = try #require(gtk_editable_get_delegate(cast(try app.native(field))))
      #expect(gtk_editable_get_position(inner) == 3)
      // The user extends the selection with the mouse.
      gtk_editable_select_region(inner, 5, 1)
      app.settle()
      #expect(
        field.selection
          == TextSelection(
            anchor: TextPosition(line: 0, offset: 6), head: TextPosition(line: 0, offset: 1)))
      #expect(gtk_editable_get_position(inner) == 1)
    }

    /// GTK shows a selection in one widget only: another one that selects text takes it away.
    @Test func aSelectionInADialogStaysWhileTextBehindItIsSelected() throws {
      let (behind, editor, field) = (TextField("behind"), TextView("editor"), TextField("front"))
      let app = try TestApp(StackView(.vertical, [behind, editor]))
      defer { app.end() }
      let all = { (count: Int) in
        TextSelection(
          anchor: TextPosition(line: 0, offset: 0), head: TextPosition(line: 0, offset: count))
      }
      behind.selection = all(6)
      app.settle()
      editor.selection = all(6)
      app.settle()
      // It refuses proposals.
      editor.isEnabled = false
      let window = Window(title: "Other", style: .dialog, content: field)
      app.application.show(window)
      window.makeFirstResponder(field)
      app.settle()
      field.selection = all(5)
      for round in 0..<4 {
        app.settle()
        #expect(field.selection == all(5), "round \(round)")
        var (start, end): (gint, gint) = (0, 0)
        gtk_editable_get_selection_bounds(cast(try app.native(field)), &start, &end)
        #expect(start == 0 && end == 5, "round \(round)")
      }
      // GTK has taken these selections.
      #expect(behind.selection.range.isEmpty && editor.selection.range.isEmpty)
    }
  }
}
#endif
