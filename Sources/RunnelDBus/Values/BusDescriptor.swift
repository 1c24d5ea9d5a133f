import Glibc

/// An open descriptor that was received in a message, or is to be sent. It is closed when this object is
/// released.
public final class BusDescriptor: Sendable {
  /// The number of the descriptor, which is valid while this object exists.
  public let number: Int32

  /// Takes ownership of a descriptor.
  public init(owning number: Int32) {
    self.number = number
  }

  /// Duplicates a descriptor, which stays the caller's. Returns nil if it is not open, or if no more can
  /// be opened.
  public init?(duplicating original: Int32) {
    number = fcntl(original, F_DUPFD_CLOEXEC, 3)
    if number < 0 { return nil }
  }

  deinit {
    close(number)
  }
}

extension BusDescriptor: Hashable {
  /// Returns true for the same object.
  public static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension BusDescriptor: BusValue {
  /// The type on the bus.
  public static var busType: BusType { .descriptor }

  /// Writes the descriptor, which the message duplicates.
  public func write(to writer: BusWriter) throws(BusError) { try writer.write(.descriptor(self)) }

  /// Reads a duplicate of the descriptor in the message.
  public convenience init(from reader: BusReader) throws(BusError) {
    self.init(owning: try reader.readDescriptor())
  }
}
