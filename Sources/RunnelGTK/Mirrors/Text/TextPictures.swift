#if GTK
import CGTK
import Glibc
import RunnelDesk

/// The pictures below the lines of a text view.
///
/// A picture is a widget over the text. Its line leaves room for it, because the lines of the buffer must be those
/// of the text. Files are read when their lines come into view, on another thread.
@MainActor
final class TextPictures {
  private let textView: Widget
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>
  private let needsDisplay: () -> Void
  /// The pictures by their lines.
  private var shown: [Int: Shown] = [:]
  /// The widgets that show no picture. GTK 4.8 cannot remove a widget over a text, so they are used again.
  private var spare: [Widget] = []
  private let signals = Signals()
  private var isFollowingFrames = false
  private var files: [String: File] = [:]
  /// The tags that leave room below a line, by its height.
  private var tags: [Int: UnsafeMutablePointer<GtkTextTag>] = [:]

  private enum File {
    case loading
    /// The file is missing, damaged or too large.
    case unusable
    case known(PictureFile)
  }

  /// The top of a widget, and of the visible part, from the top of the text.
  private struct Place: Equatable { let top, scroll: gint }

  private struct Shown {
    let picture: TextPicture
    let widget: Widget
    /// The size of what the widget shows; nil if it shows nothing, because the file was forgotten.
    var size: Size?
    /// The place that was requested last, and the number of requests for it.
    var place: Place?
    var requestCount = 0
  }

  /// The distance in pixels to the text above and below.
  private static let distance = 6
  /// The number of times that a place is requested.
  private static let maximumRequestCount = 5
  /// The number of pictures in memory.
  private static let maximumFileCount = 8

  init(
    _ textView: Widget, _ buffer: UnsafeMutablePointer<GtkTextBuffer>,
    needsDisplay: @escaping () -> Void
  ) {
    self.textView = textView
    self.buffer = buffer
    self.needsDisplay = needsDisplay
  }

  /// Removes all pictures, and ends.
  func end() {
    signals.disconnectAll()
    forget()
  }

  /// Removes all pictures, because the text was replaced.
  func forget() {
    for line in shown.keys { remove(line) }
    files = [:]
  }

  /// Renumbers the lines after an edit.
  func follow(_ edit: TextEdit) {
    let (old, new) = (edit.range, edit.newRange)
    let added = new.upperBound.line - old.upperBound.line
    if added == 0 && old.lowerBound.line == old.upperBound.line { return }
    for line in shown.keys where line > old.lowerBound.line && line < old.upperBound.line {
      remove(line)
    }
    var moved: [Int: Shown] = [:]
    for (line, picture) in shown {
      let line = line >= old.upperBound.line ? line + added : line
      if let former = moved.updateValue(picture, forKey: line) { release(former) }
    }
    shown = moved
  }

  /// Shows the pictures of the lines in view, within a size in pixels.
  func update(_ editor: TextView, lines: Range<Int>, width: Int, height: Int) {
    for (line, picture) in shown where !lines.contains(line) {
      gtk_widget_set_visible(picture.widget, 0)
    }
    for line in lines.clamped(to: 0..<editor.document.lineCount) {
      let wanted = editor.picture(editor.document[line: line])
      if let former = shown[line], former.picture != wanted { remove(line) }
      guard let wanted, case .known(let file) = file(wanted.path) else { continue }
      let limit = Size(width: max(width, 1), height: max(height * 3 / 4, 1))
      show(wanted, file, file.size(within: limit), atLine: line)
    }
    forgetFiles(beyond: lines)
  }

  // MARK: - Files

  private func file(_ path: String) -> File {
    if let file = files[path] { return file }
    files[path] = .loading
    PictureFile.load(path) { [weak self] file in
      guard let self, case .loading = files[path] else { return }
      files[path] = file.map { .known($0) } ?? .unusable
      needsDisplay()
    }
    return .loading
  }

  /// Releases the pictures that are not in view, if there are many.
  private func forgetFiles(beyond lines: Range<Int>) {
    let known = files.filter { if case .known = $1 { true } else { false } }
    if known.count <= Self.maximumFileCount { return }
    let visible = Set(shown.filter { lines.contains($0.key) }.map(\.value.picture.path))
    for path in known.keys where !visible.contains(path) {
      files[path] = nil
      for (line, picture) in shown where picture.picture.path == path {
        gtk_picture_set_paintable(cast(picture.widget), nil)
        shown[line]?.size = nil
      }
    }
  }

  // MARK: - Widgets

  private func show(_ picture: TextPicture, _ file: PictureFile, _ size: Size, atLine line: Int) {
    var entry = shown[line] ?? Shown(picture: picture, widget: widget(for: picture))
    if entry.size != size {
      let paintable = file.paintable(size)
      gtk_picture_set_paintable(cast(entry.widget), paintable)
      g_object_unref(UnsafeMutableRawPointer(paintable))
      entry.size = size
    }
    shown[line] = entry
    gtk_widget_set_visible(entry.widget, 1)
    leaveRoom(size.height + 2 * Self.distance, belowLine: line)
    place(line)
    followFrames()
  }

  /// Places the pictures again after each frame, because GTK measures lines when it draws them.
  private func followFrames() {
    guard !isFollowingFrames, let clock = gtk_widget_get_frame_clock(textView) else { return }
    isFollowingFrames = true
    signals.connect(clock, "after-paint") { [weak self] _ in
      guard let self else { return }
      for (line, picture) in shown where Bool(gtk_widget_get_visible(picture.widget)) {
        place(line)
      }
    }
  }

  private func place(_ line: Int) {
    guard let picture = shown[line], let size = picture.size else { return }
    var (start, y, height) = (GtkTextIter(), gint(0), gint(0))
    gtk_text_buffer_get_iter_at_line(buffer, &start, gint(line))
    gtk_text_view_get_line_yrange(cast(textView), &start, &y, &height)
    let top = y + height - gint(size.height + Self.distance)
    var visible = GdkRectangle()
    gtk_text_view_get_visible_rect(cast(textView), &visible)
    // When the text scrolls, GTK 4.8 leaves the widget where it is on the screen, until the text is laid out again. GTK
    // forgets a request that is made during a layout, so it is made again after the next frame.
    var area = GtkAllocation()
    gtk_widget_get_allocation(picture.widget, &area)
    let place = Place(top: top, scroll: visible.y)
    let isNew = place != picture.place
    if !isNew && (area.y == top - visible.y || picture.requestCount >= Self.maximumRequestCount) {
      return
    }
    shown[line]?.place = place
    shown[line]?.requestCount = isNew ? 1 : picture.requestCount + 1
    gtk_text_view_move_overlay(
      cast(textView), picture.widget, gtk_text_view_get_left_margin(cast(textView)), top)
    gtk_widget_queue_allocate(textView)
  }

  private func widget(for picture: TextPicture) -> Widget {
    let widget = spare.popLast() ?? newWidget()
    gtk_picture_set_alternative_text(cast(widget), picture.label)
    return widget
  }

  private func newWidget() -> Widget {
    let widget = made(gtk_picture_new())
    gtk_picture_set_can_shrink(cast(widget), 0)
    // A click is one into the text.
    gtk_widget_set_can_target(widget, 0)
    gtk_text_view_add_overlay(cast(textView), widget, 0, 0)
    return widget
  }

  private func remove(_ line: Int) {
    guard let former = shown.removeValue(forKey: line) else { return }
    release(former)
    if line < Int(gtk_text_buffer_get_line_count(buffer)) { leaveRoom(nil, belowLine: line) }
  }

  private func release(_ picture: Shown) {
    gtk_widget_set_visible(picture.widget, 0)
    gtk_picture_set_paintable(cast(picture.widget), nil)
    spare.append(picture.widget)
  }

  /// Leaves room for a picture below a line, or none.
  private func leaveRoom(_ height: Int?, belowLine line: Int) {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_iter_at_line(buffer, &start, gint(line))
    end = start
    if !Bool(gtk_text_iter_ends_line(&end)) { gtk_text_iter_forward_to_line_end(&end) }
    let wanted = height.map(tag)
    if let wanted, Bool(gtk_text_iter_has_tag(&start, wanted)) { return }
    for other in tags.values where Bool(gtk_text_iter_has_tag(&start, other)) {
      gtk_text_buffer_remove_tag(buffer, other, &start, &end)
    }
    if let wanted { gtk_text_buffer_apply_tag(buffer, wanted, &start, &end) }
  }

  private func tag(forHeight height: Int) -> UnsafeMutablePointer<GtkTextTag> {
    if let tag = tags[height] { return tag }
    let tag = made(runnel_space_tag(gint(height)))
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(buffer), tag)
    // The table keeps the tag.
    g_object_unref(tag)
    tags[height] = tag
    return tag
  }
}

/// A decoded picture. It is never changed, so any thread may release it.
final class PictureFile {
  private let texture: OpaquePointer
  /// The size in pixels of the file.
  private let size: Size

  /// The size in bytes of the largest file that is read.
  private static let maximumByteCount = 20_000_000
  /// The number of pixels of the largest picture that is decoded.
  private static let maximumPixelCount = 50_000_000
  /// The length in pixels to which the longer side of a picture is reduced.
  private static let maximumLength = 1_600

  /// Reads a file; returns nil if it is no picture, or is too large.
  init?(_ path: String) {
    var status = stat()
    var (width, height) = (gint(0), gint(0))
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.maximumByteCount,
      gdk_pixbuf_get_file_info(path, &width, &height) != nil, width > 0, height > 0,
      Int(width) * Int(height) <= Self.maximumPixelCount
    else { return nil }
    let length = gint(min(Int(max(width, height)), Self.maximumLength))
    guard let read = gdk_pixbuf_new_from_file_at_scale(path, length, length, 1, nil) else {
      return nil
    }
    defer { g_object_unref(UnsafeMutableRawPointer(read)) }
    // A camera says which side is up.
    let turned = made(gdk_pixbuf_apply_embedded_orientation(read))
    defer { g_object_unref(UnsafeMutableRawPointer(turned)) }
    texture = made(gdk_texture_new_for_pixbuf(turned))
    let isTurned = gdk_pixbuf_get_width(turned) != gdk_pixbuf_get_width(read)
    let sides = isTurned ? (height, width) : (width, height)
    size = Size(width: Int(sides.0), height: Int(sides.1))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }

  /// Reads a file on another thread, and calls a closure in the main context of GLib.
  @MainActor
  static func load(_ path: String, then: @escaping @MainActor (PictureFile?) -> Void) {
    let request = Unmanaged.passRetained(Request(path, then)).toOpaque()
    let task = g_task_new(
      nil, nil,
      { _, _, data in
        // Safety: GLib calls this once, in the main context, with the data that was retained for it.
        nonisolated(unsafe) let data = data
        MainActor.assumeIsolated {
          guard let data else { return }
          let request = Unmanaged<Request>.fromOpaque(data).takeRetainedValue()
          request.then(request.file)
        }
      }, request)
    g_task_set_task_data(task, request, nil)
    g_task_run_in_thread(task, readInThread)
    g_object_unref(UnsafeMutableRawPointer(task))
  }

  /// Reads the file of a request. It is no part of ``load(_:then:)``, which runs on the main thread.
  private static var readInThread: GTaskThreadFunc {
    { task, _, data, _ in
      if let data {
        // Safety: the request is alive until the main thread has its file.
        let request = Unmanaged<Request>.fromOpaque(data).takeUnretainedValue()
        request.file = PictureFile(request.path)
      }
      g_task_return_boolean(task, 1)
    }
  }

  /// A file to read. One thread reads it, and then the main thread has it.
  private final class Request {
    let path: String
    let then: @MainActor (PictureFile?) -> Void
    var file: PictureFile?

    init(_ path: String, _ then: @escaping @MainActor (PictureFile?) -> Void) {
      (self.path, self.then) = (path, then)
    }
  }

  /// Returns the largest size with the proportions of the picture within a limit, but not larger than the file.
  func size(within limit: Size) -> Size {
    let scale = min(
      Double(limit.width) / Double(size.width), Double(limit.height) / Double(size.height), 1)
    return Size(
      width: max(Int(Double(size.width) * scale), 1),
      height: max(Int(Double(size.height) * scale), 1))
  }

  /// Returns the picture in a size, for widgets. Release it.
  func paintable(_ size: Size) -> OpaquePointer {
    let snapshot = made(gtk_snapshot_new())
    var area = graphene_rect_t()
    graphene_rect_init(&area, 0, 0, Float(size.width), Float(size.height))
    gtk_snapshot_append_texture(snapshot, texture, &area)
    return made(gtk_snapshot_free_to_paintable(snapshot, nil))
  }
}
#endif
