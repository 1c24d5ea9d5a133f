import CLibevent
import Glibc

/// The two ends of a pipe to or from a child.
///
/// Neither has the number of a standard descriptor, also where this process has closed those: so they
/// can be given to a child without being in the way.
struct Pipe {
  let reading: Descriptor
  let writing: Descriptor

  init() throws(ProcessError) {
    var ends: [Int32] = [-1, -1]
    guard runnel_pipe(&ends) == 0 else { throw ProcessError(DescriptorError(errno, -1)) }
    let (reading, writing) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    do throws(DescriptorError) {
      self.reading = try reading.outOfTheWay()
      self.writing = try writing.outOfTheWay()
    } catch {
      throw ProcessError(error)
    }
  }
}

extension Descriptor {
  /// A descriptor that is closed where another one is needed for sure.
  static func reserve() throws(ProcessError) -> Descriptor {
    let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw ProcessError(DescriptorError(errno, -1)) }
    return Descriptor(owning: number)
  }

  fileprivate func outOfTheWay() throws(DescriptorError) -> Descriptor {
    number > STDERR_FILENO ? self : try Descriptor(duplicating: number)
  }
}
