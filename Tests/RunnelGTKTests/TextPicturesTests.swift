#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// The pictures below the lines of a text view.
  @MainActor
  @Suite struct TextPicturesTests {
    private let folder = FileManager.default.temporaryDirectory
      .appending(path: "pictures-\(UUID())").path()

    private func write(_ name: String, width: Int, height: Int) throws {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let image = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, gint(width), gint(height))
      defer { g_object_unref(UnsafeMutableRawPointer(image)) }
      gdk_pixbuf_fill(image, 0xC800_00FF)
      #expect(Bool(gdk_pixbuf_savev(image, "\(folder)/\(name)", "png", nil, nil, nil)))
    }

    private func app(_ editor: TextView) throws -> TestApp {
      editor.picture = { [folder] in TextPicture.markdown(in: $0, relativeTo: folder) }
      return try TestApp(editor)
    }

    /// The widgets of the pictures that are visible, from top to bottom.
    private func pictures(_ app: TestApp, _ editor: TextView) throws -> [GtkAllocation] {
      let textView = try #require(gtk_scrolled_window_get_child(cast(app.native(editor))))
      var found: [GtkAllocation] = []
      func search(_ widget: Widget) {
        var child = gtk_widget_get_first_child(widget)
        while let widget = child {
          let isPicture = text(of: gtk_widget_get_css_name(widget)) == "picture"
          if isPicture && Bool(gtk_widget_get_visible(widget)) {
            var area = GtkAllocation()
            gtk_widget_get_allocation(widget, &area)
            found.append(area)
          } else if !isPicture {
            search(widget)
          }
          child = gtk_widget_get_next_sibling(widget)
        }
      }
      search(textView)
      return found.sorted { $0.y < $1.y }
    }

    /// Draws the window until a condition holds. Files are read on another thread.
    private func settle(_ app: TestApp, _ condition: () throws -> Bool) throws {
      let end = ContinuousClock.now + .seconds(60)
      while try !condition() {
        app.settle()
        try #require(ContinuousClock.now < end)
      }
    }

    @Test func pictureIsShownBelowItsLine() throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try write("cow.png", width: 60, height: 40)
      try write("wide.png", width: 3_000, height: 300)
      let editor = TextView("one\n![a cow](cow.png)\ntwo\n![](wide.png)\nthree")
      let app = try app(editor)
      defer { app.end() }
      try settle(app) { try pictures(app, editor).count == 2 }
      try settle(app) {
        let areas = try pictures(app, editor)
        return areas[0].height == 40 && areas[1].y > areas[0].y + areas[0].height
          && areas[1].height > 1
      }
      let areas = try pictures(app, editor)
      #expect(areas[0].width == 60 && areas[0].height == 40)
      // A wide picture is as wide as the text.
      #expect(areas[1].width < 1_000 && abs(areas[1].width - areas[1].height * 10) <= 10)
      // The buffer has the text alone.
      #expect(app.lines.contains("![a cow](cow.png)") && editor.document.lineCount == 5)
      // Text above moves the pictures, and a line without its mark has none.
      editor.propose(replacing: .start..<(.start), with: "more\n")
      try settle(app) { try pictures(app, editor).first.map { $0.y > areas[0].y } == true }
      let mark = TextPosition(line: 2, offset: 0)..<TextPosition(line: 2, offset: 1)
      editor.propose(replacing: mark, with: "")
      app.settle()
      #expect(try pictures(app, editor).count == 1)
      editor.text = "none"
      app.settle()
      #expect(try pictures(app, editor).isEmpty)
    }

    @Test func pictureScrollsWithItsLine() throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try write("cow.png", width: 60, height: 40)
      let lines = ["one", "two", "three", "![a cow](cow.png)"] + (0..<200).map { "line \($0)" }
      let editor = TextView(lines.joined(separator: "\n"))
      let app = try app(editor)
      defer { app.end() }
      try settle(app) { try pictures(app, editor).first?.height == 40 }
      let textView = try #require(gtk_scrolled_window_get_child(cast(app.native(editor))))
      func scroll() -> gint {
        var visible = GdkRectangle()
        gtk_text_view_get_visible_rect(cast(textView), &visible)
        return visible.y
      }
      try settle(app) { try pictures(app, editor).first.map { $0.y > 0 } == true }
      let top = try #require(pictures(app, editor).first).y + scroll()
      for line in [2, 1, 3, 0, 2] {
        let former = scroll()
        editor.top = TextPosition(line: line, offset: 0)
        try settle(app) {
          try scroll() != former && pictures(app, editor).first?.y == top - scroll()
        }
      }
    }

    @Test func unusableFilesShowNothing() throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try write("cow.png", width: 6, height: 4)
      try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(folder)/bad.png"))
      #expect(mkfifo("\(folder)/pipe.png", 0o600) == 0)
      let names = ["bad.png", "missing.png", "pipe.png", "../\(UUID())", "", "cow.png"]
      let editor = TextView(names.map { "![](\($0))" }.joined(separator: "\n"))
      let app = try app(editor)
      defer { app.end() }
      try settle(app) { try !pictures(app, editor).isEmpty }
      for name in names.dropLast() {
        #expect(PictureFile("\(folder)/\(name)") == nil, "\(name)")
      }
      app.settle()
      #expect(try pictures(app, editor).count == 1)
    }

    @Test func manyPicturesAreForgottenAndReadAgain() throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for number in 0..<20 { try write("\(number).png", width: 30, height: 120) }
      let editor = TextView((0..<20).map { "![](\($0).png)" }.joined(separator: "\n"))
      let app = try app(editor)
      defer { app.end() }
      try settle(app) { try !pictures(app, editor).isEmpty }
      for line in [19, 0, 19] {
        editor.top = TextPosition(line: line, offset: 0)
        app.settle()
        try settle(app) { try !pictures(app, editor).isEmpty }
      }
    }
  }
}
#endif
