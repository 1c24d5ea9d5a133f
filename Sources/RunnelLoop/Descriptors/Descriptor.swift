import Glibc
import RunnelStreams

/// An open descriptor of the loop's own, closed when it is released.
final class Descriptor {
  let number: Int32

  /// Takes over a descriptor that was just opened.
  init(owning number: Int32) {
    self.number = number
  }

  /// Takes over one that a loop cannot do without, and traps where there was none to be had.
  convenience init(needed number: Int32) {
    require(
      number >= 0, "There is no event loop without descriptors: raise the limit (ulimit -n).")
    self.init(owning: number)
  }

  /// How many bytes can be read from it at once.
  var waitingByteCount: Int {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Another descriptor for what one has open.
  init(duplicating original: Int32) throws(DescriptorError) {
    number = fcntl(original, F_DUPFD_CLOEXEC, 3)
    if number < 0 { throw DescriptorError(errno, original) }
  }

  deinit {
    close(number)
  }
}
