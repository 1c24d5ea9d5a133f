import RunnelStreams
import RunnelText

/// A line of text, or several, that a person can read.
///
///     let count = Label("no notes")
///     notes.observed.count.map { "\($0) notes" }.bind(to: count.rx.text)
@MainActor
public final class Label: View {
  /// What it says. It has as many rows as the text has lines, unless it ``wraps``; what is too wide ends in
  /// "…".
  public var text: String {
    didSet { if text != oldValue { needsDisplay() } }
  }

  /// On which side of its room it stands.
  public var alignment: TextAlignment = .leading {
    didSet { needsDisplay() }
  }

  /// Whether lines that are too wide go on in the next row, instead of ending in "…".
  public var wraps = false {
    didSet { needsDisplay() }
  }

  /// Whether it matters less than what is around it.
  public var isFaint = false {
    didSet { needsDisplay() }
  }

  /// A text.
  public init(_ text: String = "") {
    self.text = text
  }

  /// What it says, row by row.
  private func rows(width: Int) -> [Substring] {
    if wraps { return text.wrapped(to: width) }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let rows = rows(width: room.width)
    return Extent(width: rows.map(\.cellWidth).max(), height: rows.count)
  }
}

extension Label: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = isAvailable ? isFaint ? theme.faint : theme.text : theme.disabled
    for (y, line) in rows(width: painter.size.width).enumerated() {
      let row = Rect(x: 0, y: y, width: painter.size.width, height: 1)
      painter.put(line, in: row, alignment: alignment, style: style)
    }
  }
}

extension Reactive where Base: Label {
  /// What the label says.
  @MainActor public var text: Binder<String> { Binder(base) { $0.text = $1 } }
}
