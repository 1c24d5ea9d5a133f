#if GTK
import CGTK
import Glibc
import RunnelDesk
import RunnelLoop
import RunnelStreams

/// A backend that shows an application in windows of GTK 4.
///
/// Only the line that creates the backend differs from that of a program in a terminal:
/// `Application(backend: try GTKBackend(identifier: "org.example.Hello"))`.
///
/// Each window of the application is a window of the desktop. Views have frames in cells, and each control
/// is shown by a native widget, whose place may be measured in pixels. So the same program also runs in a
/// terminal and without a screen. Colours, fonts and the size of a cell follow the desktop.
///
/// `EventLoop.main` serves GTK: no other loop is needed, and an idle window causes no wake-ups.
@MainActor
public final class GTKBackend: Backend {
  /// The number of columns and rows of a new window.
  public let size: Size

  /// The text of the desktop's clipboard.
  public var clipboard: String {
    get { clipboardMirror.text }
    set { clipboardMirror.text = newValue }
  }

  /// True if a `FileDialog` for files of the system is that of the desktop. A script, which only
  /// sees the widgets of the application, needs that of RunnelDesk.
  public var usesFileDialogsOfDesktop = true

  /// True if windows whose `menuStyle` asks for it have a header bar. Change it before the windows are
  /// shown, for users who want a menu bar.
  public var showsHeaderBars = true

  private(set) weak var application: Application?
  private(set) var windows: [WindowMirror] = []
  private let clipboardMirror = ClipboardMirror()
  private var phase = Phase.idle
  private static weak var current: GTKBackend?
  /// The registered classes of mirrors. Each closure returns nil for a view of another class.
  static var registered: [@MainActor (View) -> NativeMirror?] = []

  /// True if GTK has connected to the display. It gets the names of characters from the locale, but
  /// numbers keep their form.
  private static let isInitialized: Bool = {
    gtk_disable_setlocale()
    setlocale(LC_CTYPE, "")
    return Bool(gtk_init_check())
  }()

  private let sizeFile: StateFile?
  private let fontFile: StateFile?
  private(set) var fontChooser: FontChooser?
  /// True if the first window begins as it ended in the last run: maximised.
  private(set) var startsMaximized = false
  private var colorScheme: ColorScheme?
  private let identifier: String
  /// The last word of the identifier, which users know.
  private var name: String { identifier.split(separator: ".").last.map(String.init) ?? identifier }

  /// The updates of the widgets:
  ///
  ///     idle ── needsDisplay() ──▶ scheduled ── sync() ──▶ syncing ──▶ idle, or scheduled again
  ///     each of them ── stop() ──▶ stopped
  private enum Phase {
    case idle
    case scheduled(Disposable)
    /// The widgets are updated. `pending` is an update that is needed afterwards.
    case syncing(pending: Disposable?)
    case stopped
  }

  /// Connects to the display. `identifier` is the name of the application's desktop file, such as
  /// "org.example.Notes", whose last word is the name for assistive technology. If `keepsSize` is true, the first window
  /// gets the size that it had when the application ended last, and is maximised if it was, and texts have the font that
  /// the user has chosen.
  public init(
    identifier: String, size: Size = Size(width: 100, height: 30), keepsSize: Bool = false
  ) throws(GTKError) {
    sizeFile = keepsSize ? StateFile("window-size", of: identifier) : nil
    fontFile = keepsSize ? StateFile("text-font", of: identifier) : nil
    if Self.current != nil { throw .alreadyOpen }
    self.identifier = identifier
    g_set_prgname(identifier)
    guard Self.isInitialized else { throw .noDisplay }
    let state = sizeFile?.read().flatMap(WindowState.init(line:))
    self.size = state.map { $0.size.onMonitors } ?? size
    startsMaximized = state?.isMaximized ?? false
    // Assistive technology calls the application by the name of the process, as GTK 4.8 tells it.
    g_set_prgname(name)
    Self.current = self
    // The application saves what it has if the desktop ends or crashes.
    GLibContext.attach { [weak self] in self?.application?.end() }
    Appearance.install()
    Appearance.use(font: fontFile?.read().flatMap(TextFont.init(description:)))
    clipboardMirror.begin()
    gtk_window_set_default_icon_name(identifier)
    if getenv("GTK_THEME") == nil { colorScheme = ColorScheme { Appearance.follow($0) } }
  }

  /// Starts showing the application. The desktop uses some keys that `KeyBindings.standard` binds as a
  /// shell does: Ctrl+W closes the window. Bindings of the application to these keys are kept.
  public func start(_ application: Application) {
    self.application = application
    application.keyBindings.releaseKeysOfDesktop()
    needsDisplay()
  }

  /// Updates the widgets after the current job.
  public func needsDisplay() {
    switch phase {
    case .idle: phase = .scheduled(scheduleUpdate())
    case .syncing(pending: nil): phase = .syncing(pending: scheduleUpdate())
    case .scheduled, .syncing, .stopped: break
    }
  }

  private func scheduleUpdate() -> Disposable {
    EventLoop.main.schedule(after: .zero) { [weak self] in
      MainActor.assumeIsolated { self?.sync() }
    }
  }

  /// Plays the alert sound of the desktop.
  public func ring() {
    for window in windows.suffix(1) { gtk_widget_error_bell(window.widget) }
  }

  /// Presents the frontmost window. A desktop can show a request for attention instead.
  public func raise() {
    for window in windows.suffix(1) { gtk_window_present(cast(window.widget)) }
  }

  /// Runs a closure that shows a window. The desktop knows the window by the identifier, which GTK takes from the name of
  /// the process.
  static func show(_ body: () -> Void) {
    guard let current else { return }
    g_set_prgname(current.identifier)
    body()
    g_set_prgname(current.name)
  }

  /// Closes all windows.
  public func stop() {
    switch phase {
    case .scheduled(let update), .syncing(pending: let update?): update.dispose()
    case .idle, .syncing(pending: nil): break
    case .stopped: return
    }
    phase = .stopped
    let former = WindowState(size: size, isMaximized: startsMaximized)
    if let state = windows.first?.state, state != former { sizeFile?.write(state.line) }
    colorScheme?.end()
    colorScheme = nil
    if DisplayConnection.isOpen {
      Appearance.follow(.none)
      fontChooser?.end()
      fontChooser = nil
      for window in windows { window.end() }
      windows = []
      clipboardMirror.end()
    }
    application = nil
    if Self.current === self { Self.current = nil }
    GLibContext.detach()
  }

  /// Shows the texts in a font, also after the next start; nil for the font of the desktop.
  func use(font: TextFont?) {
    Appearance.use(font: font)
    fontFile?.write(font?.description)
  }

  func show(_ chooser: FontChooser) {
    fontChooser?.end()
    fontChooser = chooser
  }

  // MARK: - Mirrors

  /// Updates all widgets now.
  package func sync() {
    switch phase {
    case .idle: break
    case .scheduled(let update):
      update.dispose()
      phase = .idle
    case .syncing(let pending):
      // This call may be the pending update itself, which is still needed.
      pending?.dispose()
      return phase = .syncing(pending: pending.map { _ in scheduleUpdate() })
    case .stopped: return
    }
    guard let application else { return }
    phase = .syncing(pending: nil)
    defer {
      if case .syncing(let pending) = phase { phase = pending.map(Phase.scheduled) ?? .idle }
    }
    Appearance.follow(application.theme)
    let shown = application.windows
    for window in windows where !shown.contains(where: { $0 === window.window }) { window.end() }
    windows = shown.map { window in
      windows.first { $0.window === window } ?? WindowMirror(window, of: self)
    }
    for window in windows { window.sync() }
    windows.last?.present()
  }

  func parent(of window: WindowMirror) -> WindowMirror? {
    windows.firstIndex { $0 === window }.flatMap { $0 > 0 ? windows[$0 - 1] : nil }
  }

  /// Tells the application whether one of its windows is active.
  func activityChanged() {
    let isActive = windows.contains { Bool(gtk_window_is_active(cast($0.widget))) }
    application?.handle(.focus(isActive))
  }
}

extension Size {
  /// The size in cells, limited to the size of the largest monitor.
  @MainActor fileprivate var onMonitors: Size {
    guard let monitors = gdk_display_get_monitors(gdk_display_get_default()) else { return self }
    var most = (width: 0, height: 0)
    for index in 0..<g_list_model_get_n_items(monitors) {
      guard let monitor = g_list_model_get_item(monitors, index) else { continue }
      defer { g_object_unref(monitor) }
      var area = GdkRectangle()
      gdk_monitor_get_geometry(OpaquePointer(monitor), &area)
      most = (max(most.width, Int(area.width)), max(most.height, Int(area.height)))
    }
    if most.width == 0 || most.height == 0 { return self }
    let label = made(gtk_label_new(nil))
    g_object_ref_sink(label)
    defer { g_object_unref(label) }
    let cells = CellMetrics(of: label).cells(width: most.width, height: most.height)
    return Size(width: min(width, cells.width), height: min(height, cells.height))
  }
}
#endif
