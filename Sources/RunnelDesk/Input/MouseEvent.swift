/// A press, release, movement or wheel turn of the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The primary button.
    case left
    /// The wheel, pressed as a button.
    case middle
    /// The secondary button, usually for context menus.
    case right
  }

  /// The direction in which the wheel scrolls.
  public enum Direction: Hashable, Sendable {
    /// Towards the beginning of the document.
    case up
    /// Towards the end of the document.
    case down
    /// To the left.
    case left
    /// To the right.
    case right
  }

  /// The action of the mouse.
  public enum Action: Hashable, Sendable {
    /// A button was pressed.
    case press(Button)
    /// A button was released.
    case release(Button)
    /// The mouse moved while a button was held.
    case drag(Button)
    /// The mouse moved without a button held.
    case move
    /// The wheel was turned by one notch.
    case wheel(Direction)
  }

  /// The action.
  public var action: Action
  /// The cell under the mouse.
  public var position: Point
  /// The modifier keys that were held.
  public var modifiers: Modifiers

  /// Creates an event at a cell.
  public init(_ action: Action, at position: Point, _ modifiers: Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}
