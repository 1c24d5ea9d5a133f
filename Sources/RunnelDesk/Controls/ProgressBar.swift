import RunnelStreams

/// A bar that shows how much of a task is done.
///
///     let bar = ProgressBar()
///     scanned.map { Double($0) / 10_000 }.bind(to: bar.rx.fraction)
///
/// If the amount of work is unknown, a block moves back and forth while the bar is visible.
@MainActor
public final class ProgressBar: View {
  /// The completed fraction, from 0 to 1; nil if it is unknown. Other values are clamped.
  public var fraction: Double? { didSet { if fraction != oldValue { needsDisplay() } } }

  /// The timer that redraws the bar with the next position of the block.
  private var nextStep: Disposable?

  /// The time between two positions of the block.
  private static let step = Duration.milliseconds(100)

  /// Creates a progress bar.
  public init(_ fraction: Double? = 0) {
    self.fraction = fraction
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  /// Returns the current start of the block in a bar of the given width, and starts the timer for
  /// the next one.
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
  /// Draws the bar.
  public func draw(in painter: inout Painter, theme: Theme) {
    let width = painter.size.width
    painter.fill(painter.bounds, with: "░", style: theme.faint)
    let height = painter.size.height
    guard let fraction else {
      let block = min(max(width / 5, 1), width)
      let rect = Rect(x: start(of: block, in: width), y: 0, width: block, height: height)
      return painter.fill(rect, with: "█", style: theme.progress)
    }
    // A cell is drawn in eighths.
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
  /// The completed fraction; nil if it is unknown.
  @MainActor public var fraction: Binder<Double?> { Binder(base) { $0.fraction = $1 } }
}
