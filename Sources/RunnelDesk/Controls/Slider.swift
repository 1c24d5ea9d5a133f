import RunnelProxies
import RunnelStreams

/// A delegate that can refuse the user's changes of a ``Slider``, and is notified of them. It is not
/// notified of changes by the program.
@Proxied
@MainActor
public protocol SliderDelegate: AnyObject {
  /// Returns true if the user may move the slider to this value.
  @Default(true) func slider(_ slider: Slider, shouldChangeTo value: Double) -> Bool
  /// Called after the user has moved the slider.
  @Default func sliderDidChange(_ slider: Slider)
}

/// A control for a number in a range, where the exact value matters little.
///
///     let volume = Slider(0.5)
///     volume.rx.value.observeNext { print($0) }  // 0.5
///     window.content = Slider(20, in: 0...100, step: 5)
///
/// The arrow keys move it by one step, the page keys by a tenth of the range, and Home and End to
/// the ends. The mouse drags the knob, and the wheel moves it while the slider has the focus.
@MainActor
public final class Slider: View {
  /// The object that is asked and notified when the user moves the slider.
  public weak var delegate: (any SliderDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: SliderDelegateProxy { proxy(for: \.delegate) }

  /// The value. Other values are clamped to the range and rounded to a step.
  public var value: Double {
    get { storedValue }
    set {
      let value = fitted(newValue)
      if value == storedValue { return }
      storedValue = value
      needsDisplay()
    }
  }

  /// The smallest and the largest value, which must be finite.
  public let range: ClosedRange<Double>
  /// The distance between possible values; nil if all values are possible. The arrow keys then move
  /// the slider by a hundredth of the range.
  public let step: Double?

  private var storedValue: Double
  private var isDragging = false

  /// Creates a slider.
  public init(_ value: Double = 0, in range: ClosedRange<Double> = 0...1, step: Double? = nil) {
    precondition(
      (range.upperBound - range.lowerBound).isFinite,
      "The range \(range) of a Slider is not finite. Use bounds such as 0...100.")
    self.range = range
    self.step = step.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    storedValue = range.lowerBound
    super.init()
    self.value = value
  }

  private var length: Double { range.upperBound - range.lowerBound }

  /// Returns the nearest possible value.
  private func fitted(_ value: Double) -> Double {
    if value.isNaN { return range.lowerBound }
    let value = min(max(value, range.lowerBound), range.upperBound)
    guard let step else { return value }
    let steps = ((value - range.lowerBound) / step).rounded()
    return min(range.lowerBound + steps * step, range.upperBound)
  }

  // MARK: - Changes by the user

  /// Sets the value, as the user does: if the slider can be used and the delegate agrees. Returns
  /// true if the slider then has the possible value that is nearest.
  @discardableResult
  public func propose(value wanted: Double) -> Bool {
    let wanted = fitted(wanted)
    return proposeChange(of: \.value, to: wanted) {
      delegate?.slider(self, shouldChangeTo: wanted)
    } tell: {
      delegate?.sliderDidChange(self)
    }
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    // With fewer digits, because sums of steps are not exact.
    let digits = "\(Float(value))"
    return Accessibility(
      .slider, value: digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func perform(_ command: Command) -> Bool {
    guard case .move(let movement) = command else { return false }
    let small = step ?? length / 100
    let large = max(small, length / 10)
    switch movement {
    case .left, .down: propose(value: value - small)
    case .right, .up: propose(value: value + small)
    case .pageDown: propose(value: value - large)
    case .pageUp: propose(value: value + large)
    case .lineStart, .start: propose(value: range.lowerBound)
    case .lineEnd, .end: propose(value: range.upperBound)
    case .wordLeft, .wordRight: return false
    }
    return true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .press(.left):
      isDragging = true
      drag(to: event.position.x)
    case .drag(.left): if isDragging { drag(to: event.position.x) }
    case .release(.left): isDragging = false
    case .wheel(let direction):
      guard isFirstResponder else { return false }
      let isUp = direction == .up || direction == .right
      _ = perform(.move(isUp ? .up : .down))
    case .press, .drag, .release, .move: return false
    }
    return true
  }

  private func drag(to x: Int) {
    let part = Double(min(max(x, 0), bounds.width)) / Double(max(bounds.width - 1, 1))
    propose(value: range.lowerBound + part * length)
  }

  // MARK: - Layout

  /// The column of the knob.
  var knob: Int {
    let part = length > 0 ? (value - range.lowerBound) / length : 0
    return Int((part * Double(max(bounds.width - 1, 0))).rounded())
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }
}

extension Reactive where Base: Slider {
  /// The value: the current one, then the one after each change by the user.
  @MainActor public var value: ControlProperty<Double> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.sliderDidChange).map { _ in } },
      get: { $0.value }, set: { $0.value = $1 })
  }
}
