import RunnelProxies
import RunnelStreams
import RunnelText

/// A delegate that can refuse the user's choices of a ``PopUpButton``, and is notified of them. It is
/// not notified of changes by the program.
@Proxied
@MainActor
public protocol PopUpButtonDelegate: AnyObject {
  /// Returns true if the user may select the choice with this index.
  @Default(true) func popUpButton(_ button: PopUpButton, shouldSelect index: Int) -> Bool
  /// Called after the user has selected a choice.
  @Default func popUpButtonDidChange(_ button: PopUpButton)
}

/// A control that shows one of several choices, and opens a menu to select another one.
///
///     let priority = PopUpButton(["Low", "Normal", "High"], selectedIndex: 1)
///     priority.rx.selectedIndex.observeNext { print($0 ?? -1) }  // 1
///
/// Return, the space bar, an arrow key or the mouse opens the menu. A letter selects the next choice
/// that begins with it.
@MainActor
public final class PopUpButton: View {
  /// The object that is asked and notified when the user selects a choice.
  public weak var delegate: (any PopUpButtonDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: PopUpButtonDelegateProxy { proxy(for: \.delegate) }

  /// The choices, from top to bottom. If there are fewer than before, the selected one may be lost.
  public var choices: [String] {
    didSet {
      selectedIndex = valid(selectedIndex)
      needsDisplay()
    }
  }

  /// The index of the selected choice; nil for none. An index that does not exist becomes nil.
  public var selectedIndex: Int? {
    didSet {
      selectedIndex = valid(selectedIndex)
      if selectedIndex != oldValue { needsDisplay() }
    }
  }

  /// The selected choice, if any.
  public var selectedChoice: String? { selectedIndex.map { choices[$0] } }

  /// Creates a button with choices. By default the first one is selected.
  public init(_ choices: [String] = [], selectedIndex: Int? = 0) {
    self.choices = choices
    self.selectedIndex = selectedIndex
    super.init()
    self.selectedIndex = valid(selectedIndex)
  }

  private func valid(_ index: Int?) -> Int? {
    index.flatMap { choices.indices.contains($0) ? $0 : nil }
  }

  // MARK: - Choosing

  /// Selects a choice, as the user does: if the button can be used and the delegate agrees. Returns
  /// true if the choice is selected afterwards.
  @discardableResult
  public func propose(selectedIndex wanted: Int) -> Bool {
    proposeChange(of: \.selectedIndex, to: wanted, if: { choices.indices.contains(wanted) }) {
      delegate?.popUpButton(self, shouldSelect: wanted)
    } tell: {
      delegate?.popUpButtonDidChange(self)
    }
  }

  /// Opens the menu with the choices. Returns true if it is open then.
  @discardableResult
  public func open() -> Bool {
    openChoices(choices, selectedIndex: selectedIndex) { [weak self] index, choice in
      // The choices may have changed while the menu was open.
      guard let self, valid(index).map({ self.choices[$0] }) == choice else { return }
      propose(selectedIndex: index)
    }
  }

  /// Selects the next choice that begins with a text.
  private func select(beginningWith text: String) -> Bool {
    let start = selectedIndex.map { $0 + 1 } ?? 0
    let order = Array(choices.indices[start...]) + choices.indices[..<start]
    let letters = text.lowercased()
    guard let found = order.first(where: { choices[$0].lowercased().hasPrefix(letters) }) else {
      return false
    }
    propose(selectedIndex: found)
    return true
  }

  // MARK: - View

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.popUpButton, value: choices.place(of: selectedIndex))
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: (choices.map(\.cellWidth).max() ?? 0).plus(6), height: 1)
  }

  override var usesReturn: Bool { true }

  override public func perform(_ command: Command) -> Bool {
    guard [.insertNewline, .move(.down), .move(.up)].contains(command) else { return false }
    return open()
  }

  override public func keyDown(_ press: KeyPress) -> Bool {
    press == .space ? open() : super.keyDown(press)
  }

  override public func insert(_ text: String) -> Bool {
    !text.isEmpty && select(beginningWith: text)
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    openWithMouse(event, clicks: clicks) { open() }
  }
}

extension Reactive where Base: PopUpButton {
  /// The index of the selected choice: the current one, then the one after each choice of the user.
  @MainActor public var selectedIndex: ControlProperty<Int?> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.popUpButtonDidChange).map { _ in } },
      get: { $0.selectedIndex }, set: { $0.selectedIndex = $1 })
  }

  /// The choices.
  @MainActor public var choices: Binder<[String]> { Binder(base) { $0.choices = $1 } }
}
