#if GTK
  import CGTK
  import RunnelDesk
  import Testing

  @testable import RunnelGTK

  extension GTKTests {
    @MainActor
    @Suite struct FieldSelectionTests {
      @Test(arguments: [false, true])
      func caretIsAtTheHeadOfASelection(isInDialog: Bool) throws {
        let field = TextField("naïve")
        let app = try TestApp(isInDialog ? Label("behind") : field)
        defer { app.end() }
        if isInDialog {
          app.application.show(Window(title: "Other", style: .dialog, content: field))
          app.backend.sync()
        } else {
          app.window.makeFirstResponder(field)
        }
        try app.press("end", "shift+left", "shift+left")
        let inner = try #require(gtk_editable_get_delegate(cast(try app.native(field))))
        #expect(gtk_editable_get_position(inner) == 3)
        // The user extends the selection with the mouse.
        gtk_editable_select_region(inner, 5, 1)
        app.settle()
        #expect(field.selection == TextSelection(
          anchor: TextPosition(line: 0, offset: 6), head: TextPosition(line: 0, offset: 1)))
        #expect(gtk_editable_get_position(inner) == 1)
      }
    }
  }
#endif
