/// The behaviour of a ``Writer`` when more bytes are written than may wait.
public enum Overflow: Hashable, Sendable {
  /// Sources that can wait do so: a connection whose bytes lead to the write stops reading until
  /// half of the waiting bytes are written. Its writes are accepted up to twice the limit. Any other
  /// write is refused.
  case wait
  /// The oldest pieces of which nothing is written yet are dropped until the new one fits.
  case dropOldest
  /// The writer fails with ``DescriptorError/overflow(limit:)``, and a connection is reset.
  case fail
}
