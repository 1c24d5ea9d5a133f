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
  }
}
#endif
