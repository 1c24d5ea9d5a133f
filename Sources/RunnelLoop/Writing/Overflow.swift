/// The behaviour of a ``Writer`` when bytes are written while ``Writer/limit`` bytes wait.
public enum Overflow: Hashable, Sendable {
  /// A write is refused, unless it happens while a connection or a descriptor delivers bytes. Such a
  /// source stops reading until half of the waiting bytes are written. The message that it delivers now may
  /// still be answered, by writes up to twice the limit.
  case wait
  /// The oldest pieces of which nothing is written yet are dropped until the new one fits into the
  /// limit.
  case dropOldest
  /// The writer fails with ``DescriptorError/overflow(limit:)``, and a connection is reset.
  case fail
}
