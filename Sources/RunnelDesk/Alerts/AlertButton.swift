/// An answer to the question of an ``Alert``.
public struct AlertButton: Hashable, Sendable {
  /// The meaning of an answer.
  public enum Role: Hashable, Sendable {
    /// An answer without a special meaning.
    case normal
    /// The answer that Return gives.
    case `default`
    /// The answer that changes nothing. Esc gives it.
    case cancel
    /// An answer that starts an action that cannot be undone.
    case destructive
  }

  /// The text on the button.
  public var title: String
  /// The meaning of the answer.
  public var role: Role

  /// Creates an answer.
  public init(_ title: String, role: Role = .normal) {
    self.title = title
    self.role = role
  }

  /// Creates the answer that Return gives.
  public static func `default`(_ title: String) -> AlertButton {
    AlertButton(title, role: .default)
  }
  /// Creates the answer that changes nothing, and that Esc gives.
  public static func cancel(_ title: String) -> AlertButton { AlertButton(title, role: .cancel) }
  /// Creates an answer that starts an action that cannot be undone.
  public static func destructive(_ title: String) -> AlertButton {
    AlertButton(title, role: .destructive)
  }
}
