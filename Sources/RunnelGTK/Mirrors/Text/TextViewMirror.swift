#if GTK
import CGTK
import RunnelDesk
import RunnelStreams
import RunnelText

/// A text of many lines that the user edits.
///
/// GTK composes typed text, wraps lines and moves the caret by visible rows. Before GTK inserts or
/// deletes anything, the mirror stops it and proposes the change to the text view.
final class TextViewMirror: ViewMirror, NativeText {
  private let editor: TextView
  private let textView = made(runnel_new_text_view())
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>
  /// The changes of the text that the buffer does not show yet.
  private var unshown = Unshown.all
  private var composing = ""
  /// True if the view shows another text since an input method composes text.
  private var composesForFormerText = false
  /// A selection that GTK wants to delete, perhaps because text that replaces it follows.
  private var pendingDeletion: Range<TextPosition>?
  /// The end of a dropped text, and the text that was dragged, until the text changes again.
  private var drop: (end: TextPosition, source: Range<TextPosition>)?
  /// The number of edits so far.
  private var editCount = 0
  private lazy var highlighter = Highlighter(textView, buffer)
  private lazy var pictures = TextPictures(textView, buffer) { [weak self] in
    self?.window.backend.needsDisplay()
  }

  /// The revision of the text view's top that the widget has followed.
  private var topRevision = 0
  private var goal = ScrollGoal.none
  private var placedSize = (width: 0, height: 0)

  /// A place to scroll to. GTK measures the lines of a long text in the background, and until then scrolls no further than
  /// the measured lines, so one scroll may not suffice.
  private enum ScrollGoal {
    case none
    /// The caret, until the user scrolls.
    case caret
    /// The top that the program has set, until the user scrolls or moves the caret.
    case top
  }

  private enum Unshown {
    case edits([TextEdit])
    /// The view shows another text.
    case all
  }

  /// The width in pixels of the margins and the scroll bar next to a picture.
  private static let pictureMargin = 24

  /// The number of edits that are shown one by one. To show more of them takes longer than to show the
  /// whole text.
  private static let maximumEditCount = 1_000

  init(_ editor: TextView, in window: WindowMirror) {
    self.editor = editor
    buffer = made(gtk_text_view_get_buffer(cast(textView)))
    let scroller = made(gtk_scrolled_window_new())
    gtk_scrolled_window_set_child(cast(scroller), textView)
    super.init(editor, in: window, native: scroller)
    gtk_text_buffer_set_enable_undo(buffer, 0)
    connect()
    editor.native = self
  }

  private func connect() {
    signals.connect(buffer, "insert-text") { [weak self] in self?.willInsert($0) }
    signals.connect(buffer, "delete-range") { [weak self] in self?.willDelete($0) }
    signals.connect(buffer, "mark-set") { [weak self] _ in self?.selectionMoved() }
    signals.connect(textView, "preedit-changed") { [weak self] in self?.composing = $0.string(1) }
    if let adjustment = gtk_scrolled_window_get_vadjustment(cast(made(native))) {
      signals.connect(adjustment, "value-changed") { [weak self] _ in self?.scrolled() }
      signals.connect(adjustment, "changed") { [weak self] _ in
        if let self, isScrolling { window.backend.needsDisplay() }
      }
    }
  }

  // MARK: - Proposals

  private func willInsert(_ arguments: SignalArguments) {
    if isUpdating { return insert(arguments) }
    g_signal_stop_emission_by_name(UnsafeMutableRawPointer(buffer), "insert-text")
    guard let place = arguments.iterator(1), !composesForFormerText else { return }
    let bytes = arguments.string(2).utf8
    let count = arguments.int(3)
    let text = String(decoding: count < 0 ? bytes.prefix(.max) : bytes.prefix(count), as: UTF8.self)
      .withLineFeeds
    let position = position(of: place)
    let selection = editor.selection
    // GTK inserts dropped text first and deletes the selection afterwards, so the dragged text stays
    // selected.
    let isDrop = pendingDeletion == nil && !selection.isEmpty && position != selection.head
    let change = TextChange(pendingDeletion ?? position..<position, text)
    pendingDeletion = nil
    let formerCount = editCount
    let isMade = editor.propose(replacing: change.range, with: text)
    if isDrop { endDrop() }
    if isMade && isDrop {
      let source = selection.map { $0.moved(by: change) }
      editor.propose(selection: source)
      // A delegate may have made another edit.
      if editCount == formerCount + 1 { drop = (change.end, source.range) }
    }
    finishProposal()
    if isEnded { return }
    // GTK goes on with an iterator that is valid after the change.
    place.move(to: isMade && isDrop ? change.end : editor.selection.head, in: buffer)
  }

  /// Hides the mark at the place of the mouse, which GTK leaves after a drop.
  private func endDrop() {
    if let mark = gtk_text_buffer_get_mark(buffer, "gtk_drag_target") {
      gtk_text_mark_set_visible(mark, 0)
    }
  }

  /// Inserts text that the view has.
  private func insert(_ arguments: SignalArguments) {
    arguments.iterator(1)?.insert(arguments.characters(2), count: arguments.int(3), in: buffer)
  }

  /// Returns a place of the buffer as a position in the text of the view.
  private func position(of place: TextIterator) -> TextPosition {
    switch unshown {
    case .edits(let edits): edits.reduce(place.position) { $0.moved(by: $1.change) }
    case .all: editor.selection.head
    }
  }

  private func willDelete(_ arguments: SignalArguments) {
    if isUpdating { return }
    g_signal_stop_emission_by_name(UnsafeMutableRawPointer(buffer), "delete-range")
    guard let start = arguments.iterator(1), let end = arguments.iterator(2) else { return }
    guard case .edits = unshown else { return }
    let places = (position(of: start), position(of: end))
    let range = min(places.0, places.1)..<max(places.0, places.1)
    if range == editor.selection.range {
      pendingDeletion = range
      window.backend.needsDisplay()
      return
    }
    editor.propose(replacing: range, with: "")
    finishProposal()
    if isEnded { return }
    for place in [start, end] { place.move(to: editor.selection.head, in: buffer) }
  }

  private func selectionMoved() {
    guard !isUpdating, pendingDeletion == nil else { return }
    let wanted = TextSelection(
      anchor: position(ofMark: gtk_text_buffer_get_selection_bound(buffer)),
      head: position(ofMark: gtk_text_buffer_get_insert(buffer)))
    if wanted == editor.selection { return }
    endKeepingTop()
    // GTK shows one selection. If another widget has it now, a text that cannot be used loses its own, too: showing it
    // again would take it from the other one.
    if !editor.propose(selection: wanted) { editor.selection = wanted }
    window.backend.needsDisplay()
  }

  private func position(ofMark mark: UnsafeMutablePointer<GtkTextMark>?) -> TextPosition {
    var place = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(buffer, &place, mark)
    return withUnsafeMutablePointer(to: &place) { TextIterator($0).position }
  }

  private func finishProposal() {
    refresh()
    window.backend.needsDisplay()
  }

  // MARK: - Updating

  override func update() {
    super.update()
    if let range = pendingDeletion {
      let (drop, formerCount) = (drop, editCount)
      pendingDeletion = nil
      editor.propose(replacing: range, with: "")
      if let drop, drop.source == range, editCount == formerCount + 1 {
        editor.joinLastEdits()
        let caret = drop.end.moved(by: TextChange(range, ""))
        editor.propose(selection: TextSelection(caret: caret))
      }
    }
    gtk_text_view_set_editable(cast(textView), editor.isEditable.gboolean)
    // Without a width, GTK would wrap a line after each letter, which takes long.
    let isPlaced = placedSize.width > 0
    gtk_text_view_set_wrap_mode(
      cast(textView), editor.wrapsLines && isPlaced ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE)
    gtk_widget_set_sensitive(textView, editor.isAvailable.gboolean)
    let isChanged = showText()
    let isMoved = showSelection()
    if !isPlaced {
      goal = .caret
      return
    }
    if editor.topRevision != topRevision {
      topRevision = editor.topRevision
      goal = .top
      scroll(to: editor.top)
    } else {
      if isChanged ?? isMoved { goal = .caret }
      if goal == .caret { revealCaret() }
      followTop()
    }
    let theme = window.backend.application?.theme ?? .standard
    highlighter.update(editor, theme: theme)
    pictures.update(
      editor, lines: highlighter.seen, width: placedSize.width - Self.pictureMargin,
      height: placedSize.height)
  }

  func textWasEdited(_ edit: TextEdit?) {
    if edit == nil && isComposing { composesForFormerText = true }
    drop = nil
    editCount += 1
    pendingDeletion = pendingDeletion.flatMap { range in edit.map { range.moved(by: $0.change) } }
    guard case .edits(var edits) = exchange(&unshown, with: .all), let edit,
      edits.count < Self.maximumEditCount
    else { return }
    edits.append(edit)
    unshown = .edits(edits)
  }

  /// Copies the changes of the text into the buffer. Only the changed text is replaced, so the buffer
  /// keeps its marks and assistive technology announces only the change.
  ///
  /// Returns true if the caret should become visible, false if only the program has made edits, and nil
  /// if the text has not changed.
  private func showText() -> Bool? {
    switch exchange(&unshown, with: .edits([])) {
    case .edits(let edits):
      for edit in edits { show(edit) }
      return edits.isEmpty ? nil : edits.contains { $0.origin != .outside }
    case .all:
      if composesForFormerText {
        // The input method may insert what it has composed: the buffer gets the other text after that.
        let hasFocus = gtk_window_get_focus(cast(window.widget)) == textView
        if hasFocus { gtk_window_set_focus(cast(window.widget), nil) }
        composesForFormerText = false
      }
      let text = editor.text.forBuffer
      gtk_text_buffer_set_text(buffer, text, gint(clamping: text.utf8.count))
      endDrop()
      highlighter.forget()
      pictures.forget()
      return true
    }
  }

  private func show(_ edit: TextEdit) {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    withUnsafeMutablePointer(to: &start) {
      TextIterator($0).move(to: edit.range.lowerBound, in: buffer)
    }
    if !edit.range.isEmpty {
      withUnsafeMutablePointer(to: &end) {
        TextIterator($0).move(to: edit.range.upperBound, in: buffer)
      }
      gtk_text_buffer_delete(buffer, &start, &end)
    }
    let text = edit.new.forBuffer
    if !text.isEmpty {
      gtk_text_buffer_insert(buffer, &start, text, gint(clamping: text.utf8.count))
      // Text that is inserted into a highlighted part gets its tags.
      end = start
      withUnsafeMutablePointer(to: &start) {
        TextIterator($0).move(to: edit.range.lowerBound, in: buffer)
      }
      gtk_text_buffer_remove_all_tags(buffer, &start, &end)
    }
    highlighter.follow(edit)
    pictures.follow(edit)
  }

  /// Returns true if the selection was another one.
  private func showSelection() -> Bool {
    let wanted = editor.selection
    let current = TextSelection(
      anchor: position(ofMark: gtk_text_buffer_get_selection_bound(buffer)),
      head: position(ofMark: gtk_text_buffer_get_insert(buffer)))
    if current == wanted { return false }
    var (head, anchor) = (GtkTextIter(), GtkTextIter())
    withUnsafeMutablePointer(to: &head) { TextIterator($0).move(to: wanted.head, in: buffer) }
    withUnsafeMutablePointer(to: &anchor) { TextIterator($0).move(to: wanted.anchor, in: buffer) }
    gtk_text_buffer_select_range(buffer, &head, &anchor)
    return true
  }

  // MARK: - Scrolling

  private func scroll(to position: TextPosition) {
    var place = GtkTextIter()
    withUnsafeMutablePointer(to: &place) { TextIterator($0).move(to: position, in: buffer) }
    let mark = gtk_text_buffer_create_mark(buffer, nil, &place, 1)
    gtk_text_view_scroll_to_mark(cast(textView), mark, 0, 1, 0, 0)
    gtk_text_buffer_delete_mark(buffer, mark)
  }

  private var caretIterator: GtkTextIter {
    var place = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(buffer, &place, gtk_text_buffer_get_insert(buffer))
    return place
  }

  /// The pixels of the caret in the buffer.
  private var caretArea: GdkRectangle {
    var (place, area) = (caretIterator, GdkRectangle())
    gtk_text_view_get_iter_location(cast(textView), &place, &area)
    return area
  }

  private var isCaretVisible: Bool {
    let area = caretArea
    var (place, visible) = (caretIterator, GdkRectangle())
    gtk_text_view_get_visible_rect(cast(textView), &visible)
    // A line that GTK has not measured has no height. Of the lines before it there may be more than fit into the view.
    var (y, height) = (gint(0), gint(0))
    gtk_text_view_get_line_yrange(cast(textView), &place, &y, &height)
    let lineCount = Double(visible.height) / (window.metrics.height / 2)
    let isNear = abs(editor.selection.head.line - top.line) <= Int(lineCount)
    return height > 0 && isNear && visible.height > 0 && area.y >= visible.y
      && area.y + area.height <= visible.y + visible.height
  }

  private func revealCaret() {
    if isCaretVisible { return }
    gtk_text_view_scroll_to_mark(cast(textView), gtk_text_buffer_get_insert(buffer), 0, 0, 0, 0)
  }

  /// The position at the start of the first visible row.
  private var top: TextPosition {
    var visible = GdkRectangle()
    gtk_text_view_get_visible_rect(cast(textView), &visible)
    var place = GtkTextIter()
    gtk_text_view_get_iter_at_location(cast(textView), &place, visible.x, visible.y)
    return withUnsafeMutablePointer(to: &place) { TextIterator($0).position }
  }

  /// True if the widget has not scrolled as far as it should.
  private var isScrolling: Bool {
    switch goal {
    case .none: false
    case .caret: true
    case .top: top != editor.top
    }
  }

  private func followTop() {
    if goal != .top {
      editor.didScroll(to: top)
    } else if top != editor.top {
      scroll(to: editor.top)
    }
  }

  override func willScroll() { goal = .none }

  private func endKeepingTop() {
    if goal == .top { goal = .none }
  }

  /// The user or the widget has scrolled.
  private func scrolled() {
    if isUpdating { return }
    if goal != .top { editor.didScroll(to: top) }
    window.backend.needsDisplay()
  }

  override func placeNative(width: Int, height: Int) {
    if placedSize != (width, height) {
      // In another size the caret stays visible.
      if placedSize != (0, 0) && isCaretVisible { goal = .caret }
      placedSize = (width, height)
    }
    super.placeNative(width: width, height: height)
    if goal == .caret && !isCaretVisible || highlighter.isOutdated { window.backend.needsDisplay() }
  }

  // MARK: - Input

  override var handlesMouse: Bool { true }
  override var handlesWheel: Bool { true }
  override var hasTextMenu: Bool { true }

  override func handlesPress(x: Double, y: Double, _ modifiers: Modifiers) -> Bool {
    guard let position = position(x: x, y: y) else { return false }
    let isHandled = editor.wasPressed(at: position, modifiers)
    if isHandled { window.backend.needsDisplay() }
    return isHandled
  }

  /// Returns the place of the caret in the widget for the cell of the caret, at which the keyboard opens a menu: the
  /// widget has other rows and columns.
  override func pixels(of cells: Rect) -> GtkAllocation {
    let width = gtk_widget_get_width(textView)
    if cells != editor.contextMenuAnchor || width == 0 || !isCaretVisible {
      return super.pixels(of: cells)
    }
    let area = caretArea
    var (x, y, left, top) = (gint(0), gint(0), 0.0, 0.0)
    gtk_text_view_buffer_to_window_coords(
      cast(textView), GTK_TEXT_WINDOW_WIDGET, area.x, area.y, &x, &y)
    gtk_widget_translate_coordinates(
      textView, container.widget, Double(x), Double(y), &left, &top)
    return GtkAllocation(
      x: gint(left), y: gint(top), width: max(area.width, 1), height: area.height)
  }

  override func willOpenMenu(x: Double, y: Double) {
    if let position = position(x: x, y: y) { editor.moveCaret(forMenuAt: position) }
  }

  /// Returns the position in the text at a place in the content of the window; nil if there is no text.
  private func position(x: Double, y: Double) -> TextPosition? {
    var (left, top, column, row) = (0.0, 0.0, gint(0), gint(0))
    gtk_widget_translate_coordinates(window.contentWidget, textView, x, y, &left, &top)
    gtk_text_view_window_to_buffer_coords(
      cast(textView), GTK_TEXT_WINDOW_WIDGET, gint(left), gint(top), &column, &row)
    var place = GtkTextIter()
    guard Bool(gtk_text_view_get_iter_at_location(cast(textView), &place, column, row)) else {
      return nil
    }
    return withUnsafeMutablePointer(to: &place) { TextIterator($0).position }
  }

  override var takesText: Bool { editor.isEditable }
  override var isComposing: Bool { !composing.isEmpty }
  override var focusWidget: Widget { textView }

  override func type(_ text: String) {
    gtk_text_buffer_delete_selection(buffer, 1, editor.isEditable.gboolean)
    runnel_emit_text(UnsafeMutableRawPointer(textView), "insert-at-cursor", text)
  }

  /// Moves the caret by rows of the widget. Returns false if the text view moves it.
  func move(_ movement: Movement, extends: Bool) -> Bool {
    let (step, count): (GtkMovementStep, gint)
    switch movement {
    case .up: (step, count) = (GTK_MOVEMENT_DISPLAY_LINES, -1)
    case .down: (step, count) = (GTK_MOVEMENT_DISPLAY_LINES, 1)
    case .pageUp: (step, count) = (GTK_MOVEMENT_PAGES, -1)
    case .pageDown: (step, count) = (GTK_MOVEMENT_PAGES, 1)
    case .lineStart: (step, count) = (GTK_MOVEMENT_DISPLAY_LINE_ENDS, -1)
    case .lineEnd: (step, count) = (GTK_MOVEMENT_DISPLAY_LINE_ENDS, 1)
    case .left, .right, .wordLeft, .wordRight, .start, .end: return false
    }
    // The widget moves its own caret, so it must have that of the text view.
    refresh()
    endKeepingTop()
    runnel_move_cursor(UnsafeMutableRawPointer(textView), step, count, extends.gboolean)
    return true
  }

  /// The visible rows: their starts and ends.
  private func visibleRows() -> [(start: GtkTextIter, end: GtkTextIter)] {
    var visible = GdkRectangle()
    gtk_text_view_get_visible_rect(cast(textView), &visible)
    var start = GtkTextIter()
    gtk_text_view_get_iter_at_location(cast(textView), &start, visible.x, visible.y)
    var rows: [(start: GtkTextIter, end: GtkTextIter)] = []
    while true {
      var (end, area) = (start, GdkRectangle())
      gtk_text_view_get_iter_location(cast(textView), &start, &area)
      if area.y >= visible.y + visible.height { break }
      if !Bool(gtk_text_iter_ends_line(&end)) {
        gtk_text_view_forward_display_line_end(cast(textView), &end)
      }
      rows.append((start, end))
      var former = start
      // At the end of the text the result is false, even if the last row is a new one.
      gtk_text_view_forward_display_line(cast(textView), &start)
      if Bool(gtk_text_iter_equal(&former, &start)) { break }
    }
    return rows
  }

  /// The visible rows as far as there are cells, and the index of the row with the caret. Rows of text
  /// are lower than cells, so there may be more: then those before the caret are left out.
  private func rowsInCells() -> (rows: [(start: GtkTextIter, end: GtkTextIter)], caret: Int?) {
    let rows = visibleRows()
    var place = caretIterator
    let index = rows.firstIndex { row in
      var row = row
      return gtk_text_iter_compare(&row.start, &place) <= 0
        && gtk_text_iter_compare(&place, &row.end) <= 0
    }
    let hidden = max((index ?? 0) - editor.bounds.height + 1, 0)
    return (Array(rows.dropFirst(hidden).prefix(editor.bounds.height)), index.map { $0 - hidden })
  }

  override func caret() -> Point? {
    let (rows, index) = rowsInCells()
    guard let index, rows.indices.contains(index) else { return nil }
    var (start, place) = (rows[index].start, caretIterator)
    return Point(x: text(freeing: gtk_text_iter_get_slice(&start, &place)).cellWidth, y: index)
  }

  override func texts() -> [(cell: Point, text: String)] {
    rowsInCells().rows.enumerated().map { index, row in
      var row = row
      let text = text(freeing: gtk_text_iter_get_slice(&row.start, &row.end))
      return (Point(x: 0, y: index), text)
    }
  }

  override func end() {
    // The view may have another mirror by now, in its new container.
    if editor.native === self { editor.native = nil }
    signals.disconnectAll()
    // GTK 4.8 warns if a bar fades while its view is removed.
    if let native { gtk_scrolled_window_set_overlay_scrolling(cast(native), 0) }
    pictures.end()
    // A buffer offers its selection to other programs, and would live until one offers another. GTK
    // 4.8 keeps the buffer all the same if it has ever offered one, but at least without the text.
    gtk_text_buffer_set_text(buffer, "", 0)
    super.end()
  }
}
#endif
