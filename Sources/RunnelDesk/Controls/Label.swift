import RunnelStreams

/// A line of text, or several, that a person can read.
///
///     let count = Label("no notes")
///     notes.observed.count.map { "\($0) notes" }.bind(to: count.rx.text)
@MainActor
public final class Label: View {
  /// What it says. It has as many rows as the text has lines; what is too wide ends in "…".
  public var text: String {
    didSet { if text != oldValue { needsDisplay() } }
  }

  /// On which side of its room it stands.
  public var alignment: TextAlignment = .leading {
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

  /// What it says, line by line.
  var lines: [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let lines = lines
    return Extent(width: lines.map(\.cellWidth).max(), height: lines.count)
  }
}

extension Label: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = isAvailable ? isFaint ? theme.faint : theme.text : theme.disabled
    for (y, line) in lines.enumerated() {
      let row = Rect(x: 0, y: y, width: painter.size.width, height: 1)
      painter.put(line, in: row, alignment: alignment, style: style)
    }
  }
}

extension Reactive where Base: Label {
  /// What the label says.
  @MainActor public var text: Binder<String> { Binder(base) { $0.text = $1 } }
}
