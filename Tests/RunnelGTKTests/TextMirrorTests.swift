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

    /// Assistive technology connects later than the mirror, and computes the position from the place that it gets.
    @Test func laterHandlersGetTheEndOfInsertedText() throws {
      let editor = TextView("one\ntwo")
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      let buffer = made(gtk_text_view_get_buffer(cast(try app.mirror(editor).focusWidget)))
      var inserted: [String] = []
      let signals = Signals()
      signals.connect(buffer, "insert-text") { arguments in
        let end = arguments.iterator(1)?.position
        inserted.append("\(arguments.string(2)) \(end?.line ?? -1):\(end?.offset ?? -1)")
      }
      defer { signals.disconnectAll() }
      app.type("a")
      _ = editor.insert("bc\nd")
      app.settle()
      #expect(inserted == ["a 0:1", "bc\nd 1:1"])
      #expect(editor.text == "abc\ndone\ntwo")
      #expect(app.lines.prefix(3) == ["abc", "done", "two"])
      try app.press("ctrl+z", "ctrl+z")
      #expect(app.lines.prefix(2) == ["one", "two"])
      editor.text = "new"
      app.settle()
      #expect(inserted.last == "new 0:3")
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

    @Test func bufferGetsJustTheEdit() throws {
      let editor = TextView("one two\nthree\nfour")
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      // Handlers that are connected now get the ends of insertions.
      let changes = try app.recordBuffer(editor)
      try app.press("end")
      app.type("x")
      try app.press("enter", "backspace", "ctrl+z")
      #expect(changes.entries == ["+0:8 x", "+1:0 \n", "-0:8 1:0", "+1:0 \n"])
      changes.entries = []
      editor.update(to: TextDocument("1ne twox\nfive\nthree\nfou"))
      app.settle()
      #expect(changes.entries == ["-3:3 3:4", "+1:4 five", "-0:0 0:1", "+0:1 1"])
      #expect(try app.bufferText(editor) == editor.text)
    }

    @Test func draggedTextIsMovedWithinItsLine() throws {
      let editor = TextView("one two three")
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      editor.selection = TextSelection(
        TextPosition(line: 0, offset: 4)..<TextPosition(line: 0, offset: 8))
      app.settle()
      // GTK inserts dropped text, and deletes the selection when the drag ends.
      let buffer = try app.buffer(editor)
      var place = GtkTextIter()
      gtk_text_buffer_get_start_iter(buffer, &place)
      gtk_text_buffer_insert_interactive(buffer, &place, "two ", -1, 1)
      #expect(gtk_text_iter_get_offset(&place) == 4)
      #expect(Bool(gtk_text_buffer_delete_selection(buffer, 1, 1)))
      app.settle()
      #expect(editor.text == "two one three")
      #expect(editor.selection == TextSelection(caret: TextPosition(line: 0, offset: 4)))
      try app.press("ctrl+z")
      #expect(editor.text == "one two three")
      try app.press("ctrl+y")
      #expect(editor.text == "two one three")
      #expect(try app.bufferText(editor) == editor.text)
    }

    /// A copy that was dragged is not undone together with a later deletion.
    @Test func draggedCopyIsAnEditOfItsOwn() throws {
      let editor = TextView("one two three")
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      func select(_ range: Range<Int>) {
        editor.selection = TextSelection(
          TextPosition(
            line: 0, offset: range.lowerBound)..<TextPosition(line: 0, offset: range.upperBound))
        app.settle()
      }
      select(4..<8)
      let buffer = try app.buffer(editor)
      var place = GtkTextIter()
      gtk_text_buffer_get_start_iter(buffer, &place)
      gtk_text_buffer_insert_interactive(buffer, &place, "two ", -1, 1)
      app.settle()
      #expect(editor.text == "two one two three")
      select(12..<17)
      #expect(Bool(gtk_text_buffer_delete_selection(buffer, 1, 1)))
      app.settle()
      #expect(editor.text == "two one two " && editor.selection.head.offset == 12)
      try app.press("ctrl+z")
      #expect(editor.text == "two one two three")
    }

    @Test func highlightsFollowEdits() throws {
      let editor = TextView("# one\ntwo\n# three")
      editor.syntax = { TextHighlight.markdown(in: $0) }
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      #expect(try app.taggedLines(editor) == [0, 2])
      try app.press("ctrl+home", "down", "enter", "enter")
      #expect(try app.taggedLines(editor) == [0, 4])
      app.type("# ")
      #expect(try app.taggedLines(editor) == [0, 3, 4])
      try app.press("ctrl+home", "delete")
      #expect(try app.taggedLines(editor) == [3, 4])
      try app.press("ctrl+a", "backspace")
      #expect(try app.taggedLines(editor) == [])
    }

    @Test func headingsAreLargerAndCodeIsMonospaced() throws {
      let editor = TextView("# one\n### two\ntext\n```\nlet a\n```\n|a|b|\ntext")
      editor.syntax = { TextHighlight.markdown(in: $0) }
      editor.codeFence = "```"
      let app = try TestApp(editor)
      defer { app.end() }
      let view = try app.mirror(editor).focusWidget
      let buffer = made(gtk_text_view_get_buffer(cast(view)))
      func heights() -> [Int] {
        (0..<editor.document.lineCount).map { line in
          var (place, y, height) = (GtkTextIter(), gint(), gint())
          gtk_text_buffer_get_iter_at_line(buffer, &place, gint(line))
          gtk_text_view_get_line_yrange(cast(view), &place, &y, &height)
          return Int(height)
        }
      }
      func families(_ line: Int) -> Set<String> {
        var place = GtkTextIter()
        gtk_text_buffer_get_iter_at_line(buffer, &place, gint(line))
        let tags = gtk_text_iter_get_tags(&place)
        defer { g_slist_free(tags) }
        var (next, found) = (tags, Set<String>())
        while let item = next {
          var value = GValue()
          g_value_init(&value, runnel_type_string())
          let tag = item.pointee.data.assumingMemoryBound(to: GObject.self)
          g_object_get_property(tag, "family", &value)
          if let family = g_value_get_string(&value) { found.insert(String(cString: family)) }
          g_value_unset(&value)
          next = item.pointee.next
        }
        return found
      }
      app.settle { heights()[0] > heights()[2] }
      #expect(heights()[0] > heights()[1] && heights()[1] > heights()[2])
      #expect(
        (0..<8).map { families($0).contains("monospace") } == [
          false, false, false, true, true, true, true, false,
        ])
      // An unfinished block reaches to the end.
      editor.selection = TextSelection(caret: TextPosition(line: 5, offset: 3))
      app.window.makeFirstResponder(editor)
      try app.press("backspace")
      #expect(families(7).contains("monospace"))
      // The heading loses its size with its mark.
      try app.press("ctrl+home", "delete")
      app.settle { heights()[0] == heights()[2] }
      #expect(heights()[0] < heights()[1])
    }

    @Test func splitHeadingLosesItsTags() throws {
      let editor = TextView("one # two\nthree")
      editor.syntax = { TextHighlight.markdown(in: $0) }
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      editor.text = "# one two\nthree"
      app.settle()
      editor.selection = TextSelection(caret: TextPosition(line: 0, offset: 5))
      try app.press("enter")
      #expect(editor.text == "# one\n two\nthree")
      let expected = (0..<3).map { line in
        let text = editor.document[line: line]
        let ranges = editor.allHighlights(line, text).compactMap { text.byteRange($0.range) }
        return (0...text.utf8.count).filter { byte in ranges.contains { $0.contains(byte) } }
      }
      #expect(try app.taggedBytes(editor) == expected)
    }

    /// A new mirror is made in the new container before the former one ends.
    @Test func editorInAnotherContainerShowsTypedText() throws {
      let editor = TextView("one")
      let app = try TestApp(StackView(.vertical, [editor]))
      defer { app.end() }
      app.window.content = editor
      app.settle()
      app.window.makeFirstResponder(editor)
      try app.press("ctrl+end")
      app.type("!")
      #expect(editor.text == "one!")
      #expect(try app.bufferText(editor) == "one!")
    }

    @Test func outsideChangeDoesNotScrollToCaret() throws {
      let lines = (0..<500).map { "line \($0)" }
      let editor = TextView(lines.joined(separator: "\n"))
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      editor.top = TextPosition(line: 300, offset: 0)
      let scroller: Widget = try app.native(editor)
      let height = try app.mirror(editor).window.metrics.height
      // GTK measures the lines in the background, and meanwhile may show others.
      app.settle {
        let adjustment = gtk_scrolled_window_get_vadjustment(cast(scroller))
        return gtk_adjustment_get_upper(adjustment) > 490 * height
          && app.backend.grid.lines[0].hasPrefix("line 300")
      }
      let shown = app.lines
      #expect(shown[0].hasPrefix("line 300"))
      editor.update(to: TextDocument((lines + ["new"]).joined(separator: "\n")))
      app.settle()
      #expect(app.lines == shown && editor.top.line > 290)
      editor.update(to: TextDocument((["new"] + lines + ["new"]).joined(separator: "\n")))
      app.settle()
      #expect(editor.top.line > 290)
      #expect(try app.bufferText(editor) == editor.text)
    }

    @Test func caretAfterALongPasteIsVisible() throws {
      let editor = TextView("one\ntwo\nthree")
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      app.settle()
      let pasted = (0..<400).map { "line \($0)\n" }.joined()
      for place in [editor.document.end, .start] {
        editor.propose(replacing: place..<place, with: pasted)
        app.settle { app.lines.contains("line 399") }
        #expect(app.lines.contains("line 399"))
        _ = editor.perform(.undo)
        app.settle()
      }
    }

    /// The widget keeps a top that the program has set while it measures the lines, but not against the user.
    @Test func caretMovesAwayFromTheTopOfTheProgram() throws {
      let editor = TextView((0..<500).map { "line \($0)" }.joined(separator: "\n"))
      let app = try TestApp(editor)
      defer { app.end() }
      app.window.makeFirstResponder(editor)
      editor.top = TextPosition(line: 300, offset: 0)
      app.settle { app.backend.grid.lines[0].hasPrefix("line 300") }
      try app.press("down")
      app.settle { editor.top.line < 10 }
      #expect(editor.top.line < 10 && editor.selection.head.line == 1)
    }

    @Test func manyEditsAreShown() throws {
      let lines = (0..<5_000).map { "line \($0)" }
      let editor = TextView(lines.joined(separator: "\n"))
      let app = try TestApp(editor)
      defer { app.end() }
      let changed = lines.enumerated().map { $0 % 2 == 0 ? $1 : $1 + "!" }
      let edits = editor.update(to: TextDocument(changed.joined(separator: "\n")))
      #expect(edits.count == 2_500)
      app.settle()
      #expect(try app.bufferText(editor) == editor.text)
    }

    /// GTK would wrap a long line after each letter while it has no width, for seconds.
    @Test func linesWrapOnlyWithAWidth() throws {
      let editor = TextView("some words of a line")
      editor.width = 0
      let app = try TestApp(StackView(.horizontal, [editor, Button("OK")]))
      defer { app.end() }
      let view = try app.mirror(editor).focusWidget
      #expect(gtk_text_view_get_wrap_mode(cast(view)) == GTK_WRAP_NONE)
      editor.width = nil
      app.settle()
      #expect(gtk_text_view_get_wrap_mode(cast(view)) == GTK_WRAP_WORD_CHAR)
      app.window.makeFirstResponder(editor)
      try app.press("ctrl+end")
      #expect(app.backend.grid.cursor == Point(x: 20, y: 0))
    }

    @Test func fieldChangesJustItsDifference() throws {
      let field = TextField("one two")
      let app = try TestApp(StackView(.vertical, [field]))
      defer { app.end() }
      let inner = try #require(gtk_editable_get_delegate(cast(try app.native(field))))
      let (changes, signals) = (GTKLog(), Signals())
      signals.connect(inner, "insert-text") { changes.entries.append("+\($0.string(1))") }
      signals.connect(inner, "delete-text") { changes.entries.append("-\($0.int(1)) \($0.int(2))") }
      field.text = "one, to"
      app.settle()
      #expect(try app.entryText(field) == "one, to")
      #expect(changes.entries == ["-3 6", "+, t"])
      signals.disconnectAll()
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

/// A log of events in order.
@MainActor
final class GTKLog {
  var entries: [String] = []
  let signals = Signals()
}

extension TestApp {
  func buffer(_ editor: TextView) throws -> UnsafeMutablePointer<GtkTextBuffer> {
    let view = try mirror(editor).focusWidget
    return try #require(gtk_text_view_get_buffer(cast(view)))
  }

  /// Records the changes of the buffer, as assistive technology hears them.
  func recordBuffer(_ editor: TextView) throws -> GTKLog {
    let (log, buffer) = (GTKLog(), try buffer(editor))
    log.signals.connect(buffer, "insert-text") { [weak log] arguments in
      guard let place = arguments.iterator(1)?.position else { return }
      log?.entries.append("+\(place) \(arguments.string(2).prefix(arguments.int(3)))")
    }
    log.signals.connect(buffer, "delete-range") { [weak log] arguments in
      guard let start = arguments.iterator(1), let end = arguments.iterator(2) else { return }
      log?.entries.append("-\(start.position) \(end.position)")
    }
    return log
  }

  /// The lines with highlighted text.
  func taggedLines(_ editor: TextView) throws -> [Int] {
    let buffer = try buffer(editor)
    return (0..<Int(gtk_text_buffer_get_line_count(buffer))).filter { line in
      var place = GtkTextIter()
      gtk_text_buffer_get_iter_at_line(buffer, &place, gint(line))
      guard let tags = gtk_text_iter_get_tags(&place) else { return false }
      g_slist_free(tags)
      return true
    }
  }

  /// The bytes with tags, by line. The line feed belongs to its line.
  func taggedBytes(_ editor: TextView) throws -> [[Int]] {
    let buffer = try buffer(editor)
    return (0..<editor.document.lineCount).map { line in
      (0...editor.document[line: line].utf8.count).filter { byte in
        var place = GtkTextIter()
        gtk_text_buffer_get_iter_at_line_index(buffer, &place, gint(line), gint(byte))
        guard let tags = gtk_text_iter_get_tags(&place) else { return false }
        g_slist_free(tags)
        return true
      }
    }
  }

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
