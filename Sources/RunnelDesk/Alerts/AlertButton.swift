/// An answer to the question of an ``Alert``.
public struct AlertButton: Hashable, Sendable {
  /// What an answer means, beside what it says.
  public enum Role: Hashable, Sendable {
    /// Nothing of what follows.
    case normal
    /// What Return says.
    case `default`
    /// That nothing is to be done: what Esc says.
    case cancel
    /// Something that cannot be undone.
    case destructive
  }

  /// What it says.
  public var title: String
  /// What it means.
  public var role: Role

  /// An answer.
  public init(_ title: String, role: Role = .normal) {
    self.title = title
    self.role = role
  }

  /// What Return says.
  public static func `default`(_ title: String) -> AlertButton {
    AlertButton(title, role: .default)
  }
  /// What Esc says: nothing is to be done.
  public static func cancel(_ title: String) -> AlertButton { AlertButton(title, role: .cancel) }
  /// Something that cannot be undone.
  public static func destructive(_ title: String) -> AlertButton {
    AlertButton(title, role: .destructive)
  }
}
