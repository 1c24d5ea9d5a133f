import RunnelProxies
import RunnelStreams

/// A delegate that can refuse the user's changes of a ``Stepper``, and is notified of them. It is not
/// notified of changes by the program.
@Proxied
@MainActor
public protocol StepperDelegate: AnyObject {
  /// Returns true if the user may change the stepper to this value.
  @Default(true) func stepper(_ stepper: Stepper, shouldChangeTo value: Int) -> Bool
  /// Called after the user has changed the value.
  @Default func stepperDidChange(_ stepper: Stepper)
}

/// A control for a whole number in a range.
///
///     let copies = Stepper(1, in: 1...99)
///     copies.rx.value.observeNext { print($0) }  // 1
///
/// The arrow keys, `+` and `-` change it by one step, the page keys by ten steps, and Home and End
/// set the ends of the range. A click on its buttons changes it too, and the wheel while the stepper
/// has the focus.
///
/// The user can also type a number, beginning with "-" if the range contains negative ones. Return,
/// and every other way to change or leave the stepper, accepts it; Esc discards it. A number outside
/// of the range becomes the nearest one in it.
@MainActor
public final class Stepper: View {
  /// The object that is asked and notified when the user changes the value.
  public weak var delegate: (any StepperDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: StepperDelegateProxy { proxy(for: \.delegate) }

  /// The value. Other values are clamped to the range.
  public var value: Int {
    get { storedValue }
    set {
      let value = fitted(newValue)
      if value == storedValue { return }
      storedValue = value
      typed = nil
      needsDisplay()
    }
  }

  /// The smallest and the largest value. The value is clamped to a new range.
  public var range: ClosedRange<Int> {
    didSet {
      storedValue = fitted(storedValue)
      typed = nil
      needsDisplay()
    }
  }

  /// The amount by which the value changes, at least 1.
  public var step: Int

  private var storedValue: Int
  private var typed: TypedNumber? { didSet { needsDisplay() } }

  package static let buttonWidth = 3

  /// Creates a stepper.
  public init(_ value: Int = 0, in range: ClosedRange<Int> = 0...100, step: Int = 1) {
    storedValue = min(max(value, range.lowerBound), range.upperBound)
    self.range = range
    self.step = step
  }

  private func fitted(_ value: Int) -> Int { min(max(value, range.lowerBound), range.upperBound) }

  // MARK: - Changes by the user

  /// Sets the value, as the user does: if the stepper can be used and the delegate agrees. Returns
  /// true if the stepper then has the possible value that is nearest.
  @discardableResult
  public func propose(value wanted: Int) -> Bool {
    let wanted = fitted(wanted)
    return proposeChange(of: \.value, to: wanted, if: { range.contains(wanted) }) {
      delegate?.stepper(self, shouldChangeTo: wanted)
    } tell: {
      delegate?.stepperDidChange(self)
    }
  }

  /// Changes the value by a number of steps, as the user does. Returns true if it was changed.
  @discardableResult
  public func step(by count: Int) -> Bool {
    let former = value
    return propose(value: former.plus(max(step, 1).times(count))) && value != former
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.stepper, value: shownText)
  }

  override public var canBecomeFirstResponder: Bool { true }

  override var usesReturn: Bool { typed != nil }

  override public func perform(_ command: Command) -> Bool {
    switch command {
    case .move(let movement): return move(movement)
    case .delete(.left):
      var number = typed ?? TypedNumber(value)
      number.deleteLast()
      typed = number
    case .delete(.wordLeft), .delete(.lineStart): typed = TypedNumber()
    case .insertNewline, .cancel:
      guard typed != nil else { return false }
      if command == .insertNewline { acceptTyped() } else { typed = nil }
    default: return false
    }
    return true
  }

  private func move(_ movement: Movement) -> Bool {
    acceptTyped()
    switch movement {
    case .left, .down: step(by: -1)
    case .right, .up: step(by: 1)
    case .pageDown: step(by: -10)
    case .pageUp: step(by: 10)
    case .lineStart, .start: propose(value: range.lowerBound)
    case .lineEnd, .end: propose(value: range.upperBound)
    case .wordLeft, .wordRight: return false
    }
    return true
  }

  override public func insert(_ text: String) -> Bool {
    var number = typed ?? TypedNumber()
    if number.append(text, isSigned: range.lowerBound < 0, limit: numberWidth) {
      typed = number
      return true
    }
    guard text == "+" || text == "-" else { return false }
    acceptTyped()
    step(by: text == "+" ? 1 : -1)
    return true
  }

  // MARK: - Typing

  var shownText: String { typed?.text ?? "\(value)" }

  var isTyping: Bool { typed != nil }

  /// Proposes the number that the user has typed.
  private func acceptTyped() {
    let number = typed?.number
    typed = nil
    if let number { propose(value: number) }
  }

  override public func didResignFirstResponder() { acceptTyped() }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    if case .wheel(let direction) = event.action {
      guard isFirstResponder else { return false }
      acceptTyped()
      step(by: direction == .up || direction == .right ? 1 : -1)
      return true
    }
    return click(with: event) {
      acceptTyped()
      if event.position.x < Self.buttonWidth {
        step(by: -1)
      } else if event.position.x >= Self.buttonWidth.plus(numberWidth).plus(2) {
        step(by: 1)
      }
    }
  }

  // MARK: - Layout

  /// The number of columns of the longest number.
  package var numberWidth: Int { max("\(range.lowerBound)".count, "\(range.upperBound)".count) }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: 2 * Self.buttonWidth + 2 + numberWidth, height: 1)
  }
}

extension Reactive where Base: Stepper {
  /// The value: the current one, then the one after each change by the user.
  @MainActor public var value: ControlProperty<Int> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.stepperDidChange).map { _ in } },
      get: { $0.value }, set: { $0.value = $1 })
  }

  /// The smallest and the largest value.
  @MainActor public var range: Binder<ClosedRange<Int>> { Binder(base) { $0.range = $1 } }
}
