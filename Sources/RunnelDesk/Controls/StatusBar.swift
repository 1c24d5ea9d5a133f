import RunnelStreams
import RunnelText

/// A row below all that says how things are, and for a while what has happened.
///
///     let status = StatusBar("1,204 notes")
///     status.show("Saved", for: .seconds(2))
@MainActor
public final class StatusBar: View {
  /// What it says at the left. While it is empty, the bar says which key quits: see
  /// ``Application/quitHint``.
  public var text: String { didSet { if text != oldValue { needsDisplay() } } }
  /// What it says at the right.
  public var rightText: String { didSet { if rightText != oldValue { needsDisplay() } } }

  /// What it says for a while instead of ``text``.
  public private(set) var message: String?
  private var end: Disposable?

  /// A row with texts at the left and at the right.
  public init(_ text: String = "", right rightText: String = "") {
    self.text = text
    self.rightText = rightText
  }

  /// Says something at the left for a while, by the application's clock. A later message replaces it.
  public func show(_ message: String, for duration: Duration = .seconds(4)) {
    end?.dispose()
    self.message = message
    needsDisplay()
    let scheduler = window?.application?.scheduler ?? Current.scheduler
    end = scheduler.schedule(after: duration) { [weak self] in self?.hideMessage() }
  }

  /// Takes the message away.
  public func hideMessage() {
    end?.dispose()
    end = nil
    message = nil
    needsDisplay()
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }
}

extension StatusBar: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = theme.status
    painter.fill(painter.bounds, style: style)
    // What has happened comes before how things are, so the right side gets what is left.
    let row = Rect(x: 1, y: 0, width: painter.size.width - 2, height: 1)
    let state = text.isEmpty ? window?.application?.quitHint ?? "" : text
    let left = message ?? state
    painter.put(left, in: row, style: style)
    let taken = min(left.cellWidth, max(row.width, 0))
    let rest = Rect(
      x: row.minX + taken + 1, y: 0, width: row.width - taken - 1, height: 1)
    painter.put(rightText, in: rest, alignment: .trailing, style: style)
  }
}

extension Reactive where Base: StatusBar {
  /// What the bar says at the left.
  @MainActor public var text: Binder<String> { Binder(base) { $0.text = $1 } }

  /// What the bar says at the right.
  @MainActor public var rightText: Binder<String> { Binder(base) { $0.rightText = $1 } }
}
