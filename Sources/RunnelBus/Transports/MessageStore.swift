/// A place where the messages of a link wait while its transport is offline, so that they survive the
/// process.
///
/// The link keeps waiting messages in memory, in their order. A store has a copy of them. It is used by
/// one link at a time. `FileMessageStore` in `RunnelFiles` is a store in a file.
public protocol MessageStore: AnyObject {
  /// Returns the messages that an earlier run has left, with their numbers in increasing order. Called
  /// once, before all other methods.
  func load() throws -> [(number: UInt64, message: TransportMessage)]

  /// Stores a message, whose number is larger than all earlier ones.
  func append(_ message: TransportMessage, number: UInt64) throws

  /// Removes a message that was sent or dropped.
  func remove(number: UInt64) throws
}
