/// The behaviour of a ``Writer`` when more bytes are written than may wait.
public enum Overflow: Hashable, Sendable {
  /// A write is refused, unless it happens while a connection or a descriptor delivers bytes. Such a
  /// source stops reading until half of the waiting bytes are written. The message that it delivers now may
  /// still be answered: writes are accepted while fewer bytes than the limit wait, and up to twice the
  /// limit.
  case wait
  /// The oldest pieces of which nothing is written yet are dropped until the new one fits.
  case dropOldest
  /// The writer fails with ``DescriptorError/overflow(limit:)``, and a connection is reset.
  case fail
}
