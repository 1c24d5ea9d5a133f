#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// The user changes the font or the theme of the desktop while a window is shown.
  @MainActor
  @Suite struct AppearanceTests {
    nonisolated private static let fonts: [(font: String?, dotsPerInch: Int?)] = [
      ("DejaVu Sans 20", nil), ("DejaVu Serif Bold 13", nil), ("DejaVu Sans 6", nil), (nil, 170),
    ]

    nonisolated private static let samples: [@Sendable @MainActor () -> View] = [
      ControlSamples.fields, ControlSamples.buttons, ControlSamples.choices,
      ControlSamples.containers, ControlSamples.table, ControlSamples.information,
    ]

    @Test("The cells follow the font", arguments: samples.indices, fonts.indices)
    func theCellsFollowTheFont(_ sample: Int, _ index: Int) throws {
      let app = try TestApp(Self.samples[sample](), size: Size(width: 60, height: 16))
      defer { app.end() }
      let window = try #require(app.backend.windows.last)
      let (before, tree) = (window.metrics, WidgetTree.text(of: window))
      let (font, dotsPerInch) = Self.fonts[index]
      DesktopSettings.with(font: font, dotsPerInch: dotsPerInch) {
        app.settle()
        let wanted = CellMetrics(of: window.widget)
        #expect(wanted.height != before.height && wanted.width != before.width)
        // The window keeps its size, so it has another number of cells, which fill it.
        let (width, height) = (
          gtk_widget_get_width(window.contentWidget), gtk_widget_get_height(window.contentWidget)
        )
        #expect(window.size == wanted.cells(width: Int(width), height: Int(height)))
        #expect(window.size != Size(width: 60, height: 16))
        #expect(Self.misplaced(in: window) == [])
        #expect(Self.clipped(in: window) == [])
        // With as many cells as before, the widgets are where they were.
        app.backend.send(.resize(Size(width: 60, height: 16)))
        app.settle { gtk_widget_get_width(window.contentWidget) == Int32(60 * wanted.width) }
        app.settle()
        #expect(Golden.differences(WidgetTree.text(of: window), from: tree) == [])
      }
      app.settle()
      app.backend.send(.resize(Size(width: 60, height: 16)))
      app.settle { gtk_widget_get_width(window.contentWidget) == Int32(60 * before.width) }
      app.settle()
      #expect(Golden.differences(WidgetTree.text(of: window), from: tree) == [])
      #expect(Self.misplaced(in: window) == [])
    }

    @Test func aDialogGrowsWithTheFont() throws {
      let app = try TestApp(Label("behind"), size: Size(width: 60, height: 16))
      defer { app.end() }
      let alert = Alert("Delete?", message: "The note will be deleted.")
      alert.buttons = [.cancel("Cancel"), .default("Delete")]
      let asking = alert.ask(in: app.application).observe(succeeded: { _ in })
      defer { asking.dispose() }
      app.settle()
      let window = try #require(app.backend.windows.last)
      let (before, places) = (window.metrics, Self.places(in: window))
      #expect(places.count == 3, "The message and the buttons: \(places)")
      func expectExactSize() {
        let frame = window.window.rootView.frame
        let wanted = (Double(frame.width) * window.metrics.width).rounded()
        app.settle { Double(gtk_widget_get_width(window.contentWidget)) == wanted }
        #expect(Double(gtk_widget_get_width(window.contentWidget)) == wanted)
        #expect(Self.misplaced(in: window) == [] && Self.clipped(in: window) == [])
      }
      DesktopSettings.with(font: "DejaVu Sans 18") {
        app.settle { window.metrics != before }
        #expect(window.metrics.width > before.width && window.metrics.height > before.height)
        expectExactSize()
        // Each widget is larger. Spaces between them keep their pixels.
        let x = window.metrics.width / before.width
        let larger = Self.places(in: window)
        #expect(larger.map(\.text) == places.map(\.text))
        for (place, larger) in zip(places, larger) {
          #expect(larger.x > place.x && larger.y > place.y, "\(place), \(larger)")
          #expect(abs(larger.width - place.width * x) <= 6 && larger.height > place.height)
        }
      }
      app.settle { window.metrics == before }
      #expect(window.metrics == before)
      expectExactSize()
      #expect(Self.places(in: window) == places)
    }

    @Test("Themes change colours, not places", arguments: [false, true], samples.indices)
    func themesChangeColoursOnly(_ isDark: Bool, _ sample: Int) throws {
      let app = try TestApp(Self.samples[sample](), size: Size(width: 60, height: 16))
      defer { app.end() }
      let window = try #require(app.backend.windows.last)
      let (tree, colour) = (WidgetTree.text(of: window), Self.background(of: window))
      DesktopSettings.with(theme: "HighContrast", isDark: isDark) {
        app.settle()
        #expect(Golden.differences(WidgetTree.text(of: window), from: tree) == [])
        #expect(Self.background(of: window) != colour)
        #expect(Self.misplaced(in: window) == [] && Self.clipped(in: window) == [])
      }
      app.settle()
      #expect(Self.background(of: window) == colour)
    }

    private static func background(of window: WindowMirror) -> String {
      var colour = GdkRGBA()
      gtk_style_context_lookup_color(
        gtk_widget_get_style_context(window.widget), "theme_bg_color", &colour)
      return text(freeing: gdk_rgba_to_string(&colour))
    }

    // MARK: - Places

    private struct Place: Equatable {
      let text: String
      let x: Double
      let y: Double
      let width: Double
      let height: Double
    }

    /// The places in pixels of the views that show text.
    private static func places(in window: WindowMirror) -> [Place] {
      var places: [Place] = []
      window.forEachMirror { mirror in
        let text = mirror.texts().map(\.text).joined(separator: " ")
        let widget = mirror.container.widget
        guard !text.isEmpty, Bool(gtk_widget_get_mapped(widget)) else { return }
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(widget, window.contentWidget, 0, 0, &x, &y)
        places.append(
          Place(
            text: text, x: x, y: y, width: Double(gtk_widget_get_width(widget)),
            height: Double(gtk_widget_get_height(widget))))
      }
      return places
    }

    /// The mirrors whose widgets are not where the cells of their views are, except those that are placed in pixels.
    private static func misplaced(in window: WindowMirror) -> [String] {
      var found: [String] = []
      window.forEachMirror { mirror in
        guard Bool(gtk_widget_get_mapped(mirror.container.widget)) else { return }
        let frame = mirror.view.frameInWindow
        let area = window.metrics.pixels(of: frame)
        let wanted = [area.x, area.y, area.width, area.height]
        let isMeasured = sequence(first: mirror.view, next: \.superview).contains {
          window.knownMirror(of: $0)?.isMeasured == true
        }
        if isMeasured { return }
        let widget = mirror.container.widget
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(widget, window.contentWidget, 0, 0, &x, &y)
        let place = [
          gint(x), gint(y), gtk_widget_get_width(widget), gtk_widget_get_height(widget),
        ]
        // The root view of a dialog is the window, without the frame that a terminal draws.
        // Each parent rounds the edges of its children.
        let isNear = zip(place, wanted).allSatisfy { abs($0 - $1) <= 1 }
        if window.window.style == .full, !isNear, mirror.view !== window.window.rootView {
          found.append("\(type(of: mirror.view)) at \(place), not \(wanted)")
        }
      }
      return found
    }

    /// The texts of one line that are cut off above or below.
    private static func clipped(in window: WindowMirror) -> [String] {
      [Widget](below: window.widget).compactMap { widget in
        guard Bool(runnel_is_a(widget, gtk_label_get_type())), Bool(gtk_widget_get_mapped(widget)),
          gtk_widget_get_height(widget) > 0,
          !text(of: gtk_label_get_text(cast(widget))).contains("\n")
        else { return nil }
        var height: gint = 0
        pango_layout_get_pixel_size(gtk_label_get_layout(cast(widget)), nil, &height)
        let room =
          sequence(first: widget, next: { gtk_widget_get_parent($0) })
          .first { gtk_widget_get_overflow($0) == GTK_OVERFLOW_HIDDEN }
          .map { gtk_widget_get_height($0) } ?? .max
        return height <= room || room == 0
          ? nil : "\(text(of: gtk_label_get_text(cast(widget)))): \(height) in \(room)"
      }
    }
  }
}
#endif
