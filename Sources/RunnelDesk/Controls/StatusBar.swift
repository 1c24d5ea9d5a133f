import RunnelStreams
import RunnelText

/// A row at the bottom of a window that shows a status and, for a while, messages. A message that is too long for
/// the row is wrapped into more rows.
///
///     let status = StatusBar("1,204 notes")
///     status.show("Saved", for: .seconds(2))
@MainActor
public final class StatusBar: View {
  /// The text on the left. While it is empty, the bar shows the ``View/toolTip`` of the focused view,
  /// or else the key that quits the application: see ``Application/quitHint``.
  public var text: String { didSet { if text != oldValue { needsDisplay() } } }
  /// The text on the right.
  public var rightText: String { didSet { if rightText != oldValue { needsDisplay() } } }

  /// The message that is shown for a while instead of ``text``.
  public private(set) var message: String?
  private var end: Disposable?

  /// Creates a status bar.
  public init(_ text: String = "", right rightText: String = "") {
    self.text = text
    self.rightText = rightText
  }

  /// Shows a message on the left for a while, timed by the application's scheduler. A later message
  /// replaces it.
  public func show(_ message: String, for duration: Duration = .seconds(4)) {
    end?.dispose()
    self.message = message
    needsDisplay()
    let scheduler = window?.application?.scheduler ?? Current.scheduler
    end = scheduler.schedule(after: duration) { [weak self] in self?.hideMessage() }
  }

  /// Hides the message.
  public func hideMessage() {
    end?.dispose()
    end = nil
    message = nil
    needsDisplay()
  }

  /// The text at the left: the message, the text, or a hint.
  package var shownText: String {
    let hint = window?.firstResponder?.toolTipOwner?.toolTip ?? window?.application?.quitHint
    return message ?? (text.isEmpty ? hint ?? "" : text)
  }

  /// The rows at the left: a message, or one row with the text or a hint. The last row may be too long for the bar.
  package func leftRows(in size: Size) -> [String] {
    guard let message else { return [shownText] }
    let rows = message.wrapped(to: max(size.width - 2, 1))
    let whole = min(rows.count, max(size.height, 1)) - 1
    return rows[..<whole].map(String.init) + [rows[whole...].joined(separator: " ")]
  }

  /// The columns that the rows at the left leave to the right text.
  package func freeColumns(in size: Size) -> Int {
    let room = max(size.width - 2, 0)
    let taken = leftRows(in: size).map { min($0.cellWidth, room) }.max() ?? 0
    return size.width - 2 - taken - 1
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    let parts = [message ?? text, rightText].filter { !$0.isEmpty }
    return Accessibility(.status, value: parts.joined(separator: ", "))
  }

  override public func wantedExtent(in room: Size) -> Extent {
    // The content of the window keeps at least half of the room.
    let most = Size(width: room.width, height: room.height / 2)
    return Extent(height: leftRows(in: most).count)
  }
}

extension Reactive where Base: StatusBar {
  /// The text on the left.
  @MainActor public var text: Binder<String> { Binder(base) { $0.text = $1 } }

  /// The text on the right.
  @MainActor public var rightText: Binder<String> { Binder(base) { $0.rightText = $1 } }
}
