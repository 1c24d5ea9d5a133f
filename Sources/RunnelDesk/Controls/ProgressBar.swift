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

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    // Steps of 10 %, because each change is read aloud.
    let percent = fraction.map { $0 > 0 ? Int(min($0, 1) * 10) * 10 : 0 }
    return Accessibility(.progress, value: percent.map { "\($0) %" } ?? "working")
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  /// Returns the current start of the block in a bar of the given width, and starts the timer for
  /// the next one.
  func start(of block: Int, in width: Int) -> Int {
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

extension Reactive where Base: ProgressBar {
  /// The completed fraction; nil if it is unknown.
  @MainActor public var fraction: Binder<Double?> { Binder(base) { $0.fraction = $1 } }
}
