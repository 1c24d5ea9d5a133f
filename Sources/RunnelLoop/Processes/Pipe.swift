import CLinux
import Glibc

/// The two ends of a pipe to or from a child.
///
/// Neither end uses the number of a standard descriptor, even if this process has closed those. The
/// ends can therefore be duplicated onto the child's standard descriptors safely.
struct Pipe {
  let reading: Descriptor
  let writing: Descriptor

  init() throws(ProcessError) {
    var ends: [Int32] = [-1, -1]
    guard runnel_pipe(&ends) == 0 else { throw ProcessError(DescriptorError(errno, -1)) }
    let (reading, writing) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    do throws(DescriptorError) {
      self.reading = try reading.aboveStandardDescriptors()
      self.writing = try writing.aboveStandardDescriptors()
    } catch {
      throw ProcessError(error)
    }
  }
}

extension Descriptor {
  /// Opens a descriptor that is closed later, when another one must be available.
  static func reserve() throws(ProcessError) -> Descriptor {
    let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw ProcessError(DescriptorError(errno, -1)) }
    return Descriptor(owning: number)
  }

  fileprivate func aboveStandardDescriptors() throws(DescriptorError) -> Descriptor {
    number > STDERR_FILENO ? self : try Descriptor(duplicating: number)
  }
}
