#if GTK
import CGTK
import RunnelDesk

@testable import RunnelGTK

// The differences between the texts of the widgets and the state of the controls.
extension WidgetStorm {
  /// Descriptions of everything in which the widgets differ from the controls.
  func differences() -> [String] {
    let (backend, application) = (app.backend, app.application)
    if application.isTerminated { return backend.windows.isEmpty ? [] : ["windows after the end"] }
    var found: [String] = []
    func expect(_ shown: some Equatable, _ wanted: some Equatable, _ what: String) {
      let (shown, wanted) = ("\(shown)", "\(wanted)")
      if shown != wanted {
        found.append("\(what) shows \(shown.debugDescription), not \(wanted.debugDescription)")
      }
    }
    expect(
      backend.windows.map { text(of: gtk_window_get_title(cast($0.widget))) },
      application.windows.map(\.title), "the display")
    for window in backend.windows {
      window.forEachMirror { mirror in
        guard let native = mirror.native else { return }
        let name = "\(type(of: mirror))"
        expect(Bool(gtk_widget_get_sensitive(native)), mirror.view.isAvailable, "\(name) available")
        switch mirror.view {
        case let view as Label:
          let rows = view.rows(width: view.bounds.width).joined(separator: "\n")
          expect(text(of: gtk_label_get_text(cast(native))), rows, name)
        case let view as Button:
          expect(text(of: gtk_button_get_label(cast(native))), view.title, name)
        case let view as Checkbox:
          expect(text(of: gtk_check_button_get_label(cast(native))), view.title, name)
          expect(Bool(gtk_check_button_get_active(cast(native))), view.isOn, name)
        case let view as TextField: expect(Self.state(ofEntry: native), Self.state(of: view), name)
        case let view as TextView:
          expect(Self.state(ofTextView: mirror.focusWidget), Self.state(of: view), name)
        case is TableView: expect(Self.shownRows(in: native), wantedRows, name)
        default: break
        }
      }
    }
    for view in [field, editor, table, check, button, label, status] as [View] {
      let isInWindow = view.window?.application != nil
      let isShown =
        isInWindow && sequence(first: view, next: \.superview).allSatisfy { !$0.isHidden }
      let isMirrored = backend.windows.contains { $0.knownMirror(of: view) != nil }
      expect(isMirrored, isShown, "\(type(of: view)) in the window")
    }
    return found
  }

  // MARK: - Texts

  private static func state(of field: TextField) -> [String] {
    let text = field.text.withoutZeros
    let selection = field.selection
    return [text, "\(text.character(at: selection.anchor)) \(text.character(at: selection.head))"]
  }

  private static func state(ofEntry entry: Widget) -> [String] {
    var (start, end): (gint, gint) = (0, 0)
    gtk_editable_get_selection_bounds(cast(entry), &start, &end)
    // The entry itself returns the end of the selection.
    let head = gtk_editable_get_position(made(gtk_editable_get_delegate(cast(entry))))
    return [text(of: gtk_editable_get_text(cast(entry))), "\(start == head ? end : start) \(head)"]
  }

  private static func state(of editor: TextView) -> [String] {
    [editor.text.forBuffer, "\(editor.selection.anchor) \(editor.selection.head)"]
  }

  private static func state(ofTextView widget: Widget) -> [String] {
    let buffer = made(gtk_text_view_get_buffer(cast(widget)))
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    let marks = [gtk_text_buffer_get_selection_bound(buffer), gtk_text_buffer_get_insert(buffer)]
    let places = marks.map { mark in
      var place = GtkTextIter()
      gtk_text_buffer_get_iter_at_mark(buffer, &place, mark)
      return withUnsafeMutablePointer(to: &place) { "\(TextIterator($0).position)" }
    }
    return [
      text(freeing: gtk_text_buffer_get_text(buffer, &start, &end, 1)),
      places.joined(separator: " "),
    ]
  }

  // MARK: - Rows

  /// The header and the visible rows as the data source has them, with a mark for selected rows.
  private var wantedRows: [String] {
    let titles = table.columns.map { column in
      let mark = table.hasFocus && column.identifier == table.markedColumn ? "▸ " : ""
      guard let sort = table.sort, sort.column == column.identifier else {
        return mark + column.title
      }
      return mark + column.title + (sort.isAscending ? " ▲" : " ▼")
    }
    let shown = table.visibleRows.map { row in
      let title = rows.item(atRow: row) ?? ""
      return (table.selectedRows.contains(row) ? "> " : "  ") + "\(title)|\(title.count)"
    }
    return ["  " + titles.joined(separator: "|")] + shown
  }

  private static func shownRows(in body: Widget) -> [String] {
    let parts = children(of: body)
    return (parts.prefix(1) + parts.dropFirst().prefix(1).flatMap(children(of:))).map { row in
      let flags = gtk_widget_get_state_flags(row)
      let isSelected = flags.rawValue & GTK_STATE_FLAG_SELECTED.rawValue != 0
      let texts = children(of: row).map { text(of: gtk_label_get_text(cast($0))) }
      return (isSelected ? "> " : "  ") + texts.joined(separator: "|")
    }
  }

  private static func children(of widget: Widget) -> [Widget] {
    var (children, next): ([Widget], Widget?) = ([], gtk_widget_get_first_child(widget))
    while let child = next {
      children.append(child)
      next = gtk_widget_get_next_sibling(child)
    }
    return children
  }
}
#endif
