#if GTK
import CGTK
import RunnelDesk
import RunnelText

/// One line of text that the user edits.
///
/// GTK composes typed text. Before GTK inserts or deletes anything, the mirror stops it and proposes
/// the change to the field. Then it shows the text that the field has.
final class TextFieldMirror: ViewMirror {
  private let field: TextField
  /// The editable part of the entry, which sends the signals.
  private let inner: OpaquePointer
  private let ghost = made(gtk_label_new(nil))
  private let problem = made(gtk_label_new(nil))
  private var shown = ""
  private var composing = ""
  /// A selection that GTK wants to delete, perhaps because text that replaces it follows.
  private var pendingDeletion: Range<TextPosition>?

  init(_ field: TextField, in window: WindowMirror) {
    self.field = field
    let entry = made(gtk_entry_new())
    inner = made(gtk_editable_get_delegate(cast(entry)))
    super.init(field, in: window, native: entry)
    gtk_editable_set_enable_undo(cast(entry), 0)
    gtk_editable_set_width_chars(cast(entry), 0)
    gtk_widget_add_css_class(ghost, "dim-label")
    gtk_widget_set_can_target(ghost, 0)
    container.add(ghost)
    gtk_widget_add_css_class(problem, "runnel-problem")
    gtk_widget_set_can_target(problem, 0)
    gtk_label_set_ellipsize(cast(problem), PANGO_ELLIPSIZE_END)
    container.add(problem)
    if window.window.searchField === field {
      gtk_entry_set_icon_from_icon_name(
        cast(entry), GTK_ENTRY_ICON_PRIMARY, "system-search-symbolic")
      gtk_entry_set_icon_activatable(cast(entry), GTK_ENTRY_ICON_PRIMARY, 0)
    }
    connect()
  }

  private func connect() {
    signals.connect(inner, "insert-text") { [weak self] in self?.willInsert($0) }
    signals.connect(inner, "delete-text") { [weak self] in
      self?.willDelete(from: $0.int(1), to: $0.int(2))
    }
    for name in ["cursor-position", "selection-bound"] {
      signals.connect(inner, "notify::\(name)") { [weak self] _ in self?.selectionMoved() }
    }
    signals.connect(inner, "preedit-changed") { [weak self] in
      self?.composing = $0.string(1)
      self?.window.backend.needsDisplay()
    }
  }

  override var rowHeight: Int { window.controlHeight }

  // MARK: - Proposals

  private func willInsert(_ arguments: SignalArguments) {
    if isUpdating { return }
    g_signal_stop_emission_by_name(UnsafeMutableRawPointer(inner), "insert-text")
    let bytes = arguments.string(1).utf8
    let count = arguments.int(2)
    let text = String(decoding: count < 0 ? bytes.prefix(.max) : bytes.prefix(count), as: UTF8.self)
    // Safety: the argument is the address of the position, which GTK reads afterwards.
    let place = arguments.pointer(3)?.assumingMemoryBound(to: gint.self)
    let position = shown.position(ofCharacter: Int(place?.pointee ?? 0))
    let isMade = field.propose(replacing: pendingDeletion ?? position..<position, with: text)
    pendingDeletion = nil
    finishProposal()
    // GTK places the caret there.
    if isMade { place?.pointee = gint(shown.character(at: field.selection.head)) }
  }

  private func willDelete(from start: Int, to end: Int) {
    if isUpdating { return }
    g_signal_stop_emission_by_name(UnsafeMutableRawPointer(inner), "delete-text")
    let (first, last) = (
      shown.position(ofCharacter: start), shown.position(ofCharacter: end < 0 ? .max : end)
    )
    if first..<last == field.selection.range {
      pendingDeletion = first..<last
      window.backend.needsDisplay()
    } else {
      field.propose(replacing: first..<last, with: "")
      finishProposal()
    }
  }

  private func selectionMoved() {
    guard !isUpdating, pendingDeletion == nil else { return }
    // The entry itself returns the end of the selection.
    let head = Int(gtk_editable_get_position(inner))
    var (start, end): (gint, gint) = (0, 0)
    gtk_editable_get_selection_bounds(inner, &start, &end)
    let anchor = Int(start) == head ? Int(end) : Int(start)
    let wanted = TextSelection(
      anchor: shown.position(ofCharacter: start == end ? head : anchor),
      head: shown.position(ofCharacter: head))
    if wanted == field.selection { return }
    // GTK shows one selection. If another widget has it now, a text that cannot be used loses its own, too: showing it
    // again would take it from the other one.
    if !field.propose(selection: wanted) { field.selection = wanted }
    window.backend.needsDisplay()
  }

  private func finishProposal() {
    refresh()
    window.backend.needsDisplay()
  }

  // MARK: - Updating

  override func update() {
    super.update()
    guard let native else { return }
    if let range = pendingDeletion {
      pendingDeletion = nil
      field.propose(replacing: range, with: "")
    }
    if composing.isEmpty { showText() }
    gtk_editable_set_editable(cast(native), field.isEditable.gboolean)
    gtk_entry_set_visibility(cast(native), (!field.isSecure).gboolean)
    gtk_entry_set_placeholder_text(cast(native), field.placeholder)
    gtk_widget_set_css_class(native, "error", problemText != nil)
    gtk_label_set_text(cast(problem), shownProblem ?? "")
    gtk_widget_set_visible(problem, (shownProblem != nil).gboolean)
    let theme = window.backend.application?.theme ?? .standard
    let text = field.text
    let styles = field.highlights(text).compactMap { highlight in
      text.byteRange(highlight.range).map { ($0, highlight.style ?? theme.highlight) }
    }
    let attributes = TextAttributes.list(
      field.isSecure ? [] : styles, ThemeColors(of: native))
    gtk_entry_set_attributes(cast(native), attributes)
    pango_attr_list_unref(attributes)
    gtk_label_set_text(cast(ghost), shownCompletion)
    gtk_widget_queue_allocate(container.widget)
  }

  /// The rest of the proposed text. It would cover text that an input method composes at its place.
  private var shownCompletion: String { isComposing ? "" : String(field.completionRest) }

  /// The validation message that the field shows at its end; a ``Form`` shows it below.
  private var shownProblem: String? { field.isInForm ? nil : problemText }

  /// The validation message of a field that can be used.
  private var problemText: String? {
    guard let message = field.validationMessage, !message.isEmpty else { return nil }
    return field.isAvailable ? message : nil
  }

  private func showText() {
    let text = field.text.withoutZeros
    if text != shown {
      replaceText(with: text)
    }
    let (anchor, head) = (
      shown.character(at: field.selection.anchor), shown.character(at: field.selection.head)
    )
    var (start, end): (gint, gint) = (0, 0)
    gtk_editable_get_selection_bounds(inner, &start, &end)
    let isShown = start == gint(min(anchor, head)) && end == gint(max(anchor, head))
    // The second argument of a selection is the place of the caret.
    if !isShown || gtk_editable_get_position(inner) != gint(head) {
      gtk_editable_select_region(inner, gint(anchor), gint(head))
    }
  }

  /// Replaces only the characters that differ, so that assistive technology hears just the change.
  private func replaceText(with text: String) {
    let (old, new) = (Array(shown.unicodeScalars), Array(text.unicodeScalars))
    let least = min(old.count, new.count)
    let start = (0..<least).first { old[$0] != new[$0] } ?? least
    let same = (0..<least - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] }
    let end = same ?? least - start
    if old.count - end > start {
      gtk_editable_delete_text(inner, gint(start), gint(old.count - end))
    }
    let added = String(String.UnicodeScalarView(new[start..<new.count - end]))
    var place = gint(start)
    if !added.isEmpty {
      gtk_editable_insert_text(inner, added, gint(added.utf8.count), &place)
    }
    shown = text
  }

  override func placeNative(width: Int, height: Int) {
    super.placeNative(width: width, height: height)
    if shownProblem != nil {
      let wanted = naturalLength(of: problem, GTK_ORIENTATION_HORIZONTAL)
      let room = min(wanted, width * 3 / 4)
      Container.give(
        GtkAllocation(x: gint(width - room), y: 0, width: gint(room), height: gint(height)),
        to: problem)
    }
    var caret = graphene_rect_t()
    let head = shown.unicodeScalars.count
    gtk_text_compute_cursor_extents(cast(inner), gsize(head), &caret, nil)
    var (x, y) = (0.0, 0.0)
    gtk_widget_translate_coordinates(
      cast(inner), container.widget, Double(caret.origin.x), Double(caret.origin.y), &x, &y)
    let place = max(Int(x) + 1, 0)
    let room = GtkAllocation(
      x: gint(place), y: 0, width: 0, height: gint(height))
    Container.give(room, to: ghost)
  }

  // MARK: - Input

  override var handlesMouse: Bool { true }
  override var hasTextMenu: Bool { true }

  override var takesText: Bool { field.isEditable }
  override var isComposing: Bool { !composing.isEmpty }

  override func type(_ text: String) {
    gtk_editable_delete_selection(inner)
    runnel_emit_text(UnsafeMutableRawPointer(inner), "insert-at-cursor", text)
  }

  override var focusWidget: Widget { cast(inner) }
  override var describedWidget: Widget { native ?? focusWidget }

  override func takeFocus() {
    // Taking the focus must not select the text: the field decides that.
    gtk_text_grab_focus_without_selecting(cast(inner))
  }

  override func caret() -> Point? {
    let place = Int(gtk_editable_get_position(inner))
    let end = shown.position(ofCharacter: place).offset
    return Point(x: String(decoding: shown.utf8.prefix(end), as: UTF8.self).cellWidth, y: 0)
  }

  override func texts() -> [(cell: Point, text: String)] {
    let text = shown.isEmpty ? field.placeholder : shown
    let dots = String(repeating: "•", count: shown.count)
    let left = (field.isSecure && !shown.isEmpty ? dots : text) + shownCompletion
    guard let message = shownProblem else { return [(.zero, left)] }
    let place = max(field.bounds.width - message.cellWidth, 0)
    return [(.zero, left), (Point(x: place, y: 0), message)]
  }
}

extension String {
  /// The text with visible symbols for zeros, which end a text of GTK. It has the same number of
  /// scalars.
  var withoutZeros: String {
    utf8.contains(0)
      ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "␀" : $0 })) : self
  }

  /// Returns the position of the scalar at an index, as GTK counts.
  func position(ofCharacter index: Int) -> TextPosition {
    let place =
      unicodeScalars.index(
        startIndex, offsetBy: max(index, 0), limitedBy: endIndex) ?? endIndex
    return TextPosition(line: 0, offset: utf8.distance(from: startIndex, to: place))
  }

  /// Returns the index of the scalar at a position, as GTK counts.
  func character(at position: TextPosition) -> Int {
    let place = utf8.index(startIndex, offsetBy: position.offset, limitedBy: endIndex) ?? endIndex
    return unicodeScalars.distance(from: startIndex, to: place)
  }
}
#endif
