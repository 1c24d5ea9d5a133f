/// A place where the messages of a link wait while its transport is offline, so that they survive the
/// process.
///
/// The link keeps waiting messages in memory, in their order. A store has a copy of them. One link at a
/// time uses it, from ``load()`` to ``close()``. `FileMessageStore` in `RunnelFiles` is a store in a file.
public protocol MessageStore: AnyObject {
  /// Returns the messages that an earlier run has left, with their numbers in increasing order. A
  /// link calls it before all other methods. Throws if another link uses the store.
  func load() throws -> [(number: UInt64, message: TransportMessage)]

  /// Stores a message, whose number is larger than all earlier ones.
  func append(_ message: TransportMessage, number: UInt64) throws

  /// Removes a message that was sent or dropped.
  func remove(number: UInt64) throws

  /// Ends the use by a link. Another link may load the messages then.
  func close()
}

/// The error of a ``MessageStore`` that a second link loads.
public struct MessageStoreInUse: Error, Hashable, CustomStringConvertible {
  /// A description of the problem and its remedy.
  public var description: String { "Another link uses the store. Make a store for each link." }

  /// Creates an error.
  public init() {}
}
