#if GTK
import CGTK
import RunnelDesk

/// The widget of GTK that shows a control of an app.
///
/// A control without one is drawn in cells. To give it a widget, derive a class, and register it with
/// ``GTKBackend/register(_:mirror:)`` before the control is shown. The guide to windows has an example.
///
/// The widget fills the place of the control, which owns all state: ``update()`` copies the
/// state into the widget, and handlers of its signals propose changes to the control. The focus,
/// `isEnabled`, the tool tip and the names for assistive technology need no code. The module `CGTK`
/// has the functions of GTK.
@MainActor
open class NativeMirror {
  /// The widget, which must be a `GtkWidget`. The window owns it from the time when it is shown.
  public let widget: UnsafeMutableRawPointer

  private let signals = Signals()
  fileprivate var isUpdating = false

  /// Creates a mirror with a new widget.
  public init(widget: UnsafeMutableRawPointer?) {
    guard let widget else { preconditionFailure("GTK has made no widget for a NativeMirror.") }
    self.widget = widget
  }

  /// Copies the state of the control into the widget. Called after each change of the window.
  open func update() {}

  /// True if the widget handles the left button and the wheel of the mouse. Otherwise the control gets the
  /// events, in cells.
  open var handlesMouse: Bool { true }

  /// The text of the widget, which scripts read.
  open var text: String { "" }

  /// Calls a closure when the widget sends a signal without a result, such as "value-changed", unless
  /// ``update()`` is the cause. The closure is released when the window no longer shows the control.
  public func on(_ signal: String, perform: @escaping @MainActor () -> Void) {
    // Safety: the widget is an object of GLib, as the documentation of `widget` demands.
    let object: UnsafeMutablePointer<GObject> = widget.assumingMemoryBound(to: GObject.self)
    signals.connect(object, signal) { [weak self] _ in
      if self?.isUpdating == false { perform() }
    }
  }

  fileprivate func end() { signals.disconnectAll() }
}

extension GTKBackend {
  /// Shows all controls of a class by widgets of an app. See ``NativeMirror``. Of several classes that fit
  /// a control, the one that was registered last is used.
  public static func register<Control: View>(
    _ control: Control.Type, mirror: @escaping @MainActor (Control) -> NativeMirror
  ) {
    registered.append { ($0 as? Control).map(mirror) }
  }

  /// Returns a mirror of a registered class for a view; nil if there is none.
  static func registeredMirror(of view: View) -> NativeMirror? {
    for make in registered.reversed() {
      if let mirror = make(view) { return mirror }
    }
    return nil
  }
}

/// The widgets of a view that an app has registered a class for.
final class RegisteredMirror: ViewMirror {
  private let mirror: NativeMirror

  init(_ mirror: NativeMirror, of view: View, in window: WindowMirror) {
    self.mirror = mirror
    // Safety: as above, of the class `GtkWidget`.
    super.init(view, in: window, native: mirror.widget.assumingMemoryBound(to: GtkWidget.self))
  }

  override func update() {
    super.update()
    mirror.isUpdating = true
    mirror.update()
    mirror.isUpdating = false
  }

  /// The height that the widget wants.
  override var rowHeight: Int {
    let height = native.map { naturalLength(of: $0, GTK_ORIENTATION_VERTICAL) }
    return max(height ?? 0, super.rowHeight)
  }

  override var handlesMouse: Bool { mirror.handlesMouse }
  override var handlesWheel: Bool { mirror.handlesMouse }

  override func texts() -> [(cell: Point, text: String)] { [(.zero, mirror.text)] }

  override func end() {
    mirror.end()
    super.end()
  }
}
#endif
