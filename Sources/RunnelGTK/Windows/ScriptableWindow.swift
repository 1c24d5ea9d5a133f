#if GTK
import CGTK
import RunnelDesk

extension View {
  /// The part of the window that the view and all views around it occupy.
  fileprivate var visibleFrame: Rect {
    sequence(first: self, next: \.superview).reduce(frameInWindow) {
      $0.intersection($1.frameInWindow)
    }
  }
}

// A window that a script controls.
extension GTKBackend: ScriptableBackend {
  /// The texts of the widgets, each at its cell: those of the front window and of the windows that a
  /// terminal would show behind it.
  ///
  /// The texts are mostly read from the widgets; their cells come from the views. Borders and other
  /// decorations are left out.
  public var grid: Grid {
    sync()
    let last = windows.lastIndex { $0.window.style == .full } ?? 0
    let shown = windows.dropFirst(last)
    var grid = Grid(shown.first?.size ?? size)
    for window in shown {
      grid.cursor = nil
      if window.window.style == .dialog { drawFrame(of: window.window, in: &grid) }
      window.forEachMirror { drawTexts(of: $0, on: &grid) }
    }
    return grid
  }

  /// A picture of the front window in the resolution of the screen, as a PNG file. The window is drawn
  /// before. The file is empty if GTK does not draw the window within ten seconds, because it is not on
  /// the display or does not get the size that a script has set.
  public var picture: [UInt8] {
    sync()
    guard let window = windows.last else { return [] }
    // The window may end while it is drawn.
    let widget = window.widget
    g_object_ref(UnsafeMutableRawPointer(widget))
    defer { g_object_unref(UnsafeMutableRawPointer(widget)) }
    let frame = window.nextFrame(within: .seconds(10), until: { !window.isResizing })
    guard let frame else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(frame)) }
    guard let texture = Self.texture(of: window, frame) else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
    guard let file = gdk_texture_save_to_png_bytes(texture) else { return [] }
    defer { g_bytes_unref(file) }
    var count: gsize = 0
    let bytes = g_bytes_get_data(file, &count)
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Returns a picture of a window with the menus over it.
  private static func texture(of window: WindowMirror, _ frame: OpaquePointer) -> OpaquePointer? {
    let widget = window.widget
    let native: OpaquePointer = cast(widget)
    guard let renderer = gtk_native_get_renderer(native) else { return nil }
    let snapshot: OpaquePointer = made(gtk_snapshot_new())
    let width = Double(gtk_widget_get_width(widget))
    let height = Double(gtk_widget_get_height(widget))
    let scale = Float(gtk_widget_get_scale_factor(widget))
    gtk_snapshot_scale(snapshot, scale, scale)
    gdk_paintable_snapshot(frame, snapshot, width, height)
    for popover in window.popovers {
      let paintable: OpaquePointer = made(gtk_widget_paintable_new(popover))
      let place = window.originInWindow(ofPopover: popover)
      var origin = graphene_point_t(x: Float(place.x), y: Float(place.y))
      gtk_snapshot_save(snapshot)
      gtk_snapshot_translate(snapshot, &origin)
      gdk_paintable_snapshot(
        paintable, snapshot, Double(gtk_widget_get_width(popover)),
        Double(gtk_widget_get_height(popover)))
      gtk_snapshot_restore(snapshot)
      g_object_unref(UnsafeMutableRawPointer(paintable))
    }
    guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
    defer { gsk_render_node_unref(node) }
    return gsk_renderer_render_texture(renderer, node, nil)
  }

  /// Draws the title of a dialog, which the desktop shows above it, and clears the place below.
  private func drawFrame(of window: Window, in grid: inout Grid) {
    var painter = Painter(grid)
    let frame = window.rootView.frame
    painter.fill(frame)
    painter.put(
      window.title, in: Rect(x: frame.minX + 2, y: frame.minY, width: frame.width - 4, height: 1))
    grid = painter.grid
  }

  private func drawTexts(of mirror: ViewMirror, on grid: inout Grid) {
    guard Bool(gtk_widget_get_mapped(mirror.container.widget)) else { return }
    let (frame, visible) = (mirror.view.frameInWindow, mirror.view.visibleFrame)
    for (cell, text) in mirror.texts() {
      grid.put(text, at: Point(x: frame.minX + cell.x, y: frame.minY + cell.y), in: visible)
    }
    if mirror.view.isFirstResponder, let caret = mirror.caret() {
      grid.cursor = Point(x: frame.minX + caret.x, y: frame.minY + caret.y)
    }
  }

  /// Delivers an input event. Text goes to the native widget with the focus, and clicks go to the
  /// native widget at the cell.
  public func send(_ event: InputEvent) {
    sync()
    guard let window = windows.last else { return }
    switch event {
    case .key(let press): window.input.press(press)
    case .mouse(let event): window.input.deliver(event)
    case .resize(let size): window.resize(to: size)
    case .text, .paste, .focus: application?.handle(event)
    }
    sync()
  }
}

extension WindowMirror {
  /// Waits until GTK has drawn the current state of the window and a condition is true. Returns the
  /// frame, which the caller releases, or nil after a time limit. GTK draws no window that is hidden.
  /// The first of two frames may come before the display has changed the size of the window.
  func nextFrame(within limit: Duration, until isDone: () -> Bool) -> OpaquePointer? {
    guard !isEnded, Bool(gtk_widget_get_mapped(widget)) else { return nil }
    // It reports and keeps each frame of its widget, but no frame that GTK has left out.
    let paintable: OpaquePointer = made(gtk_widget_paintable_new(widget))
    defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
    var frames = 0
    let signals = Signals()
    signals.connect(paintable, "invalidate-contents") { _ in frames += 1 }
    defer { signals.disconnectAll() }
    // It wakes the context if nothing else does.
    let timer = g_timeout_add(100, { _ in 1 }, nil)
    defer { g_source_remove(timer) }
    let end = ContinuousClock.now + limit
    while frames < 2 || !isDone() {
      if isEnded || ContinuousClock.now >= end { return nil }
      gtk_widget_queue_draw(widget)
      g_main_context_iteration(nil, 1)
    }
    return gdk_paintable_get_current_image(paintable)
  }
}
#endif
