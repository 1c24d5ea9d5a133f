#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct WindowSizeTests {
    @Test func windowHasTheSizeOfTheLastRun() throws {
      try Self.withStateFolder { _ in
        try Self.run {
          #expect($0.size == Size(width: 40, height: 12))
        } resizing: {
          Size(width: 50, height: 15)
        }
        try Self.run { #expect($0.size == Size(width: 50, height: 15)) }
      }
    }

    @Test(arguments: [
      "", "x", "50", "50 x", "-1 20", "9999999999999999999999 5", "3 1", "50 15 7",
      "50 15 maximized 3",
    ])
    func unusableSizesAreIgnored(_ text: String) throws {
      try Self.withStateFolder { folder in
        try Self.write(text, in: folder)
        try Self.run { #expect($0.size == Size(width: 40, height: 12)) }
      }
    }

    @Test func maximizedWindowKeepsItsFormerSize() throws {
      try Self.withStateFolder { folder in
        try Self.write("50 15 maximized", in: folder)
        for _ in 0..<2 {
          try Self.run { backend in
            #expect(backend.size == Size(width: 50, height: 15))
            #expect(
              backend.windows.first?.state == WindowState(size: backend.size, isMaximized: true))
          }
        }
        try Self.write("52 16", in: folder)
        try Self.run { backend in
          #expect(backend.windows.first?.state == WindowState(size: Size(width: 52, height: 16)))
        }
      }
    }

    @Test func sizeIsLimitedToTheMonitor() throws {
      try Self.withStateFolder { folder in
        try Self.write("1500 900", in: folder)
        try Self.run { backend in
          let size = backend.size
          #expect(size.width < 300 && size.width > 50 && size.height < 100 && size.height > 10)
        }
      }
    }

    private static func write(_ text: String, in folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/org.runnel.Tests", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/org.runnel.Tests/window-size"))
    }

    @Test func chosenFontIsKept() throws {
      _ = try #require(Display.shared)
      func run(_ body: (GTKBackend, TextView, FontChooser) throws -> Void) throws {
        let backend = try GTKBackend(
          identifier: "org.runnel.Tests", size: Size(width: 40, height: 12), keepsSize: true)
        let application = Application(backend: backend)
        let editor = TextView("text")
        let window = Window(title: "Font", content: editor)
        application.show(window)
        defer { application.end() }
        backend.sync()
        #expect(window.chooseFont())
        try body(backend, editor, try #require(backend.fontChooser))
      }
      func font(_ backend: GTKBackend, _ editor: TextView) throws -> String {
        let window = try #require(backend.windows.first)
        // GTK uses a new style sheet when it draws.
        #expect(window.draw(within: .seconds(60)))
        let mirror = try #require(window.knownMirror(of: editor))
        let font = pango_context_get_font_description(
          gtk_widget_get_pango_context(mirror.focusWidget))
        // GTK measures fonts in pixels, of which 96 are an inch.
        let pixels = Double(pango_font_description_get_size(font)) / Double(PANGO_SCALE)
        let size = Int((pixels * 72 / 96).rounded())
        return "\(text(of: pango_font_description_get_family(font))) \(size)"
      }
      /// Waits until a font is selected, which GTK does once it has listed the fonts.
      func wait(for font: String, in chooser: FontChooser, selecting: Bool = false) {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
          if selecting { gtk_font_chooser_set_font(cast(chooser.widget), font) }
          if text(freeing: gtk_font_chooser_get_font(cast(chooser.widget))) == font { return }
          g_main_context_iteration(nil, 0)
        }
        Issue.record("GTK does not select \(font).")
      }
      defer {
        Appearance.use(font: nil)
        Appearance.zoom(to: 1)
      }
      try Self.withStateFolder { folder in
        let name = "DejaVu Sans Mono Bold 17"
        var usual = ""
        try run { backend, editor, chooser in
          usual = try font(backend, editor)
          wait(for: name, in: chooser, selecting: true)
          runnel_respond(UnsafeMutableRawPointer(chooser.widget), GTK_RESPONSE_OK.rawValue)
          #expect(try font(backend, editor) == "DejaVu Sans Mono 17")
          // The zoom goes on from it.
          Appearance.zoom(to: 2)
          #expect(try font(backend, editor) == "DejaVu Sans Mono 34")
          Appearance.zoom(to: 1)
        }
        try run { backend, editor, chooser in
          #expect(try font(backend, editor) == "DejaVu Sans Mono 17")
          wait(for: name, in: chooser)
          runnel_respond(UnsafeMutableRawPointer(chooser.widget), GTK_RESPONSE_CANCEL.rawValue)
          #expect(try font(backend, editor) == "DejaVu Sans Mono 17")
          #expect(editor.window?.chooseFont() == true)
          let again = try #require(backend.fontChooser?.widget)
          runnel_respond(UnsafeMutableRawPointer(again), FontChooser.usualFont)
          #expect(try font(backend, editor) == usual)
        }
        // The chooser is open when the application ends.
        try run { backend, editor, _ in
          let shown = try font(backend, editor)
          #expect(shown == usual)
        }
        for line in ["", "a\"; } * { color: red", "\u{0}", "12"] {
          try FileManager.default.createDirectory(
            atPath: "\(folder)/org.runnel.Tests", withIntermediateDirectories: true)
          try Data(line.utf8).write(
            to: URL(fileURLWithPath: "\(folder)/org.runnel.Tests/text-font"))
          try run { backend, editor, _ in
            let shown = try font(backend, editor)
            #expect(shown == usual)
          }
        }
      }
    }

    private static func run(
      _ check: (GTKBackend) -> Void, resizing size: () -> Size? = { nil }
    ) throws {
      _ = try #require(Display.shared)
      let backend = try GTKBackend(
        identifier: "org.runnel.Tests", size: Size(width: 40, height: 12), keepsSize: true)
      let application = Application(backend: backend)
      application.show(Window(title: "Size", content: Label("text")))
      backend.sync()
      check(backend)
      if let size = size() { backend.send(.resize(size)) }
      application.end()
    }

    private static func withStateFolder(_ body: (String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())").path()
      setenv("XDG_STATE_HOME", folder, 1)
      defer {
        unsetenv("XDG_STATE_HOME")
        try? FileManager.default.removeItem(atPath: folder)
      }
      try body(folder)
    }
  }
}
#endif
