import CLibevent
import Glibc
import RunnelStreams

/// An open descriptor of the loop's own, closed when it is released.
package final class Descriptor {
  package let number: Int32

  /// Takes over a descriptor that was just opened.
  package init(owning number: Int32) {
    self.number = number
  }

  /// Takes over one that a loop cannot do without, and traps where there was none to be had.
  convenience init(needed number: Int32) {
    Self.require(number)
    self.init(owning: number)
  }

  /// Traps unless so many more descriptors can be opened: for a library that ends the process itself
  /// where they cannot.
  static func requireSpare(_ count: Int) {
    let spare = (0..<count).map { _ in Descriptor(needed: eventfd(0, Int32(EFD_CLOEXEC))) }
    withExtendedLifetime(spare) {}
  }

  /// Traps if a descriptor that a loop cannot do without was not to be had.
  static func require(_ number: Int32) {
    RunnelStreams.require(
      number >= 0, "There is no event loop without descriptors: raise the limit (ulimit -n).")
  }

  /// How many bytes can be read from it at once.
  package var waitingByteCount: Int {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Another descriptor for what one has open.
  package init(duplicating original: Int32) throws(DescriptorError) {
    number = fcntl(original, F_DUPFD_CLOEXEC, 3)
    if number < 0 { throw DescriptorError(errno, original) }
  }

  deinit {
    close(number)
  }
}
