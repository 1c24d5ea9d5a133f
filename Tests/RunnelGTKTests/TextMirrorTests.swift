#if GTK
import CGTK
import RunnelDesk
import RunnelStreams
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct TextMirrorTests {
    @Test func typedTextIsProposedAndShown() throws {
      let field = TextField("", placeholder: "Name")
      let app = try TestApp(StackView(.vertical, [field]))
      defer { app.end() }
      #expect(app.lines[0] == "Name")
      app.window.makeFirstResponder(field)
      app.type("Émilie 👩‍👩‍👧")
      #expect(field.text == "Émilie 👩‍👩‍👧")
      #expect(try app.entryText(field) == "Émilie 👩‍👩‍👧")
      try app.press("backspace")
      #expect(field.text == "Émilie ")
      #expect(try app.entryText(field) == "Émilie ")
    }

    @Test func refusedTextDoesNotAppear() throws {
      let field = TextField("12")
      field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in
        text.allSatisfy(\.isNumber)
      }
      let app = try TestApp(StackView(.vertical, [field]))
      defer { app.end() }
      app.window.makeFirstResponder(field)
      app.type("a3b")
      #expect(field.text == "123")
      #expect(try app.entryText(field) == "123")
      // Insertions and deletions by GTK itself are refused too.
      let entry = try app.native(field)
      var place: gint = 0
      gtk_editable_insert_text(cast(entry), "x", -1, &place)
      #expect(try app.entryText(field) == "123")
      gtk_editable_insert_text(cast(entry), "0", -1, &place)
      #expect(field.text == "0123")
      #expect(place == 1)
    }

    @Test func typingReplacesSelectionInOneStep() throws {
      let field = TextField("old text")
      var changes: [String] = []
      field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, range, text in
        changes.append("\(range.lowerBound.offset)..<\(range.upperBound.offset) \(text)")
        return true
      }
      let app = try TestApp(StackView(.vertical, [field]))
      defer { app.end() }
      app.window.makeFirstResponder(field)
      field.selection = TextSelection(field.document.bounds)
      app.type("n")
      #expect(changes == ["0..<8 n"])
      #expect(try app.entryText(field) == "n")
    }

    @Test func selectionFollowsTheUserAndTheProgram() throws {
      let field = TextField("naïve text")
      let app = try TestApp(StackView(.vertical, [field]))
      defer { app.end() }
      app.window.makeFirstResponder(field)
      gtk_editable_select_region(cast(try app.native(field)), 2, 5)
      #expect(field.selection.range.lowerBound.offset == 2)
      // The third character has two bytes.
      #expect(field.selection.range.upperBound.offset == 6)
      field.selection = TextSelection(caret: TextPosition(line: 0, offset: 4))
      app.settle()
      #expect(gtk_editable_get_position(cast(try app.native(field))) == 3)
    }

    @Test func undoIsThatOfTheView() throws {
      let editor = TextView("one\ntwo")
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      try app.press("ctrl+end")
      app.type("!")
      #expect(try app.bufferText(editor) == "one\ntwo!")
      try app.press("ctrl+z")
      #expect(editor.text == "one\ntwo")
      #expect(try app.bufferText(editor) == "one\ntwo")
    }

    @Test(
      "Text that GTK would divide into other lines",
      arguments: ["a\rb", "a\r\nb\n", "x\u{2029}y", "z\0z"])
    func positionsAreThoseOfTheText(_ text: String) throws {
      let editor = TextView(text)
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      try app.press("ctrl+end")
      app.type("é")
      #expect(editor.text == text + "é")
      let shown = try app.bufferText(editor)
      #expect(shown.utf8.count == editor.text.utf8.count)
      try app.press("ctrl+home", "delete")
      #expect(editor.text == String((text + "é").dropFirst()))
    }

    @Test func caretMovesByVisibleRows() throws {
      let editor = TextView(String(repeating: "many words ", count: 30))
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      try app.press("down")
      #expect(editor.selection.head.line == 0 && editor.selection.head.offset > 10)
      try app.press("up")
      #expect(editor.selection.head == .start)
      try app.press("shift+down")
      #expect(editor.selection.anchor == .start && !editor.selection.isEmpty)
    }
  }
}

extension TestApp {
  func entryText(_ field: TextField) throws -> String {
    text(of: gtk_editable_get_text(cast(try native(field))))
  }

  func bufferText(_ editor: TextView) throws -> String {
    let view = try mirror(editor).focusWidget
    let buffer = gtk_text_view_get_buffer(cast(view))
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    return text(freeing: gtk_text_buffer_get_text(buffer, &start, &end, 1))
  }
}
#endif
