import RunnelStreams

/// How much of something has been done.
///
///     let bar = ProgressBar()
///     scanned.map { Double($0) / 10_000 }.bind(to: bar.rx.fraction)
///
/// Where nobody knows how much there is to do, a block goes to and fro while the bar is seen.
@MainActor
public final class ProgressBar: View {
  /// How much has been done, from 0 to 1; nil if nobody knows. What lies outside counts as the nearest.
  public var fraction: Double? { didSet { if fraction != oldValue { needsDisplay() } } }

  /// Draws the next picture of the block.
  private var nextStep: Disposable?

  /// How long the block stands at a place.
  private static let step = Duration.milliseconds(100)

  /// A bar.
  public init(_ fraction: Double? = 0) {
    self.fraction = fraction
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  /// Where the block begins in a room of a width, now.
  private func start(of block: Int, in width: Int) -> Int {
    guard let scheduler = window?.application?.scheduler, width > block else { return 0 }
    if nextStep == nil {
      nextStep = scheduler.schedule(after: Self.step) { [weak self] in
        self?.nextStep = nil
        self?.needsDisplay()
      }
    }
    let way = width - block
    let place = Int((scheduler.now / Self.step).rounded(.down)) % (2 * way)
    return place <= way ? place : 2 * way - place
  }
}

extension ProgressBar: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    let width = painter.size.width
    painter.fill(painter.bounds, with: "░", style: theme.faint)
    let height = painter.size.height
    guard let fraction else {
      let block = min(max(width / 5, 1), width)
      let rect = Rect(x: start(of: block, in: width), y: 0, width: block, height: height)
      return painter.fill(rect, with: "█", style: theme.progress)
    }
    // A cell has eight parts.
    let part = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let eighths = Int((part * Double(width) * 8).rounded(.down))
    painter.fill(
      Rect(x: 0, y: 0, width: eighths / 8, height: height), with: "█", style: theme.progress)
    let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    if eighths % 8 > 0 {
      let edge = Rect(x: eighths / 8, y: 0, width: 1, height: height)
      painter.fill(edge, with: parts[eighths % 8 - 1], style: theme.progress)
    }
  }
}

extension Reactive where Base: ProgressBar {
  /// How much has been done; nil if nobody knows.
  @MainActor public var fraction: Binder<Double?> { Binder(base) { $0.fraction = $1 } }
}
