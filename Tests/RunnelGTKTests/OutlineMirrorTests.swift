#if GTK
import CGTK
import RunnelCollections
import RunnelDesk
import RunnelStreams
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct OutlineMirrorTests {
    private final class Refusal: OutlineViewDelegate {
      func outlineView(_ outline: OutlineView, shouldExpandRow row: Int) -> Bool { false }
    }

    private let outline = OutlineView(columns: [TableColumn("name")])
    private let top = CollectionProperty([
      SampleFolder(
        "Music", [SampleFolder("Bach", [SampleFolder("Fugues")]), SampleFolder("Cash")]),
      SampleFolder("Notes"),
    ])
    private let rows: OutlineRows<SampleFolder>

    init() {
      outline.table.showsHeader = false
      rows = outline.rx.rows(top, children: \.folders, isExpandable: { !$0.folders.isEmpty }) {
        row, folder in row["name"].text = folder.name
      }
    }

    @Test func aClickOnATriangleExpandsItsRow() throws {
      let shown = try TestApp(outline)
      defer { shown.end() }
      #expect(shown.lines.prefix(2) == ["▸ Music", "  Notes"])
      shown.click(outline, x: 0)
      #expect(shown.lines.prefix(4) == ["▾ Music", "  ▸ Bach", "    Cash", "  Notes"])
      // The triangle of the second level is where the click must be.
      let mirror = try #require(shown.mirror(of: outline.table))
      let images = [Widget](below: mirror.container.widget).filter {
        Bool(runnel_is_a($0, gtk_image_get_type())) && Bool(gtk_widget_get_visible($0))
      }
      #expect(images.count == 2)
      let starts = try Self.starts(in: mirror)
      #expect(starts == [2, 4, 4, 2])
      var (x, y) = (0.0, 0.0)
      let image = try #require(images.last)
      let middle = Double(gtk_widget_get_width(image)) / 2
      gtk_widget_translate_coordinates(image, mirror.container.widget, middle, 5, &x, &y)
      let cell = mirror.window.metrics.cell(x: x, y: y)
      #expect((2..<4).contains(cell.x) && cell.y == 1)
      shown.click(outline, x: cell.x, y: cell.y)
      #expect(shown.lines[2] == "      Fugues")
      shown.click(outline, x: 1)
      #expect(shown.lines.prefix(3) == ["▸ Music", "  Notes", ""])
    }

    /// Returns the columns at which the names begin.
    private static func starts(in mirror: ViewMirror) throws -> [Int] {
      let labels = [Widget](below: mirror.container.widget).filter {
        text(of: gtk_widget_get_css_name($0)) == "cell" && Bool(gtk_widget_get_mapped($0))
      }
      return labels.map { label in
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(label, mirror.container.widget, 0, 0, &x, &y)
        return Int((x / mirror.window.metrics.width).rounded(.down))
      }
    }

    @Test func aRefusedExpansionKeepsTheTriangle() throws {
      let delegate = Refusal()
      outline.delegate = delegate
      let shown = try TestApp(outline)
      defer { shown.end() }
      shown.click(outline, x: 0)
      #expect(shown.lines.prefix(2) == ["▸ Music", "  Notes"])
    }
  }
}
#endif
