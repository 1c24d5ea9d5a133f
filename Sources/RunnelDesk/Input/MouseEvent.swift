/// Something that was done with the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The one that selects.
    case left
    /// The one that is a wheel too.
    case middle
    /// The one for menus.
    case right
  }

  /// Where the wheel was turned to.
  public enum Direction: Hashable, Sendable {
    /// Towards the beginning.
    case up
    /// Towards the end.
    case down
    /// To the left.
    case left
    /// To the right.
    case right
  }

  /// What was done.
  public enum Action: Hashable, Sendable {
    /// A button went down.
    case press(Button)
    /// A button went up.
    case release(Button)
    /// The mouse moved while a button was down.
    case drag(Button)
    /// The mouse moved.
    case move
    /// The wheel turned by one notch.
    case wheel(Direction)
  }

  /// What was done.
  public var action: Action
  /// The cell that it was done at.
  public var position: Point
  /// The keys that were held.
  public var modifiers: Modifiers

  /// Something that was done at a cell.
  public init(_ action: Action, at position: Point, _ modifiers: Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}
