import RunnelStreams
import RunnelText

/// A control that shows one or more lines of text.
///
///     let count = Label("no notes")
///     notes.observed.count.map { "\($0) notes" }.bind(to: count.rx.text)
@MainActor
public final class Label: View {
  /// The meaning of a label, which decides how it looks.
  public enum Style: Hashable, Sendable {
    /// Text like that around it.
    case body
    /// The heading of a part, in bold letters.
    case heading
    /// The heading of a page or a dialog, in bold letters, which are larger in a window.
    case title
  }

  /// The text. Each line takes one row, unless the label ``wraps``. Text that is too wide is
  /// truncated with "…".
  public var text: String {
    didSet { if text != oldValue { needsDisplay() } }
  }

  /// The alignment of the text.
  public var alignment: TextAlignment = .leading {
    didSet { needsDisplay() }
  }

  /// True when long lines continue in the next row instead of being truncated with "…".
  public var wraps = false {
    didSet { needsDisplay() }
  }

  /// True when the text is drawn as less important.
  public var isFaint = false {
    didSet { needsDisplay() }
  }

  /// The meaning of the label.
  public let style: Style

  /// Creates a label.
  public init(_ text: String = "", style: Style = .body) {
    self.text = text
    self.style = style
  }

  package func rows(width: Int) -> [Substring] {
    if wraps { return text.wrapped(to: width) }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.text, value: text)
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let rows = rows(width: room.width)
    return Extent(width: rows.map(\.cellWidth).max(), height: rows.count)
  }
}

extension Reactive where Base: Label {
  /// The text of the label.
  @MainActor public var text: Binder<String> { Binder(base) { $0.text = $1 } }
}
