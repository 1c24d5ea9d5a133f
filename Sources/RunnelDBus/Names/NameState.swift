/// The state of a name that a connection has requested.
public enum NameState: Hashable, Sendable {
  /// The connection has the name, and receives the calls to it.
  case owned
  /// Another connection has the name. This one gets it when the others have released it.
  case queued
  /// Another connection has the name, and this one does not wait for it.
  case taken
}

/// The options of a request for a name.
public struct NameOptions: OptionSet, Hashable, Sendable {
  /// The flags of D-Bus.
  public let rawValue: UInt32

  /// Creates options from the flags of D-Bus.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Another connection may take the name away with ``replace``.
  public static let allowReplacement = NameOptions(rawValue: 1)
  /// Takes the name from its owner if the owner allows it.
  public static let replace = NameOptions(rawValue: 2)
  /// Does not wait for a name that another connection has.
  public static let doNotQueue = NameOptions(rawValue: 4)
}
