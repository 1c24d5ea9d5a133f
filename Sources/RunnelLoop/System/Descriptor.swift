import CLinux
import Glibc
import RunnelStreams

/// An open descriptor that is closed when this object is released.
package final class Descriptor {
  package let number: Int32

  /// Takes ownership of a descriptor that was just opened.
  package init(owning number: Int32) {
    self.number = number
  }

  /// Takes ownership of a descriptor that a loop requires. Traps if it could not be opened.
  convenience init(needed number: Int32) {
    Self.require(number)
    self.init(owning: number)
  }

  /// Traps unless `count` more descriptors can be opened. Call this before a library function that
  /// ends the process when it cannot open them.
  static func requireSpare(_ count: Int) {
    let spare = (0..<count).map { _ in Descriptor(needed: eventfd(0, Int32(EFD_CLOEXEC))) }
    withExtendedLifetime(spare) {}
  }

  /// Traps if a descriptor that a loop requires could not be opened.
  static func require(_ number: Int32) {
    RunnelStreams.require(
      number >= 0, "An event loop could not open its descriptors. Raise the limit (ulimit -n).")
  }

  /// The number of bytes that can be read without blocking.
  package var waitingByteCount: Int {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  package init(duplicating original: Int32) throws(DescriptorError) {
    number = fcntl(original, F_DUPFD_CLOEXEC, 3)
    if number < 0 { throw DescriptorError(errno, original) }
  }

  deinit {
    close(number)
  }
}
