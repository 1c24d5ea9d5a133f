import Glibc

/// An open descriptor of the loop's own, closed when it is released.
final class Descriptor {
  let number: Int32

  /// Takes over a descriptor that was just opened.
  init(owning number: Int32) {
    self.number = number
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
