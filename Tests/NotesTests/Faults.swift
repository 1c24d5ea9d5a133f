import Glibc
import Runnel

/// System calls that can be made to fail.
struct Faults: Sendable {
  /// A call that can fail.
  enum Call: CaseIterable {
    /// Creating a file.
    case create
    case write
    /// Synchronising a file with the disk.
    case synchronize
    /// Synchronising a folder with the disk. The changes in the folder have been made nevertheless.
    case confirm
    case rename
  }

  private let current = Monitor<(call: Call, code: Int32)?>(nil)

  /// Makes one call fail from now on, and no other.
  func fail(_ call: Call, with code: Int32) { current.withLock { $0 = (call, code) } }

  /// Makes all calls succeed from now on.
  func heal() { current.withLock { $0 = nil } }

  var calls: FileCalls {
    let current = current
    let step: @Sendable (Call) throws(SystemError) -> Void = { call throws(SystemError) in
      if let fault = current.withLock({ $0 }), fault.call == call { throw SystemError(fault.code) }
    }
    var calls = FileCalls.system
    let system = calls
    calls.open = { folder, name, flags, mode throws(SystemError) in
      if flags & O_CREAT != 0 { try step(.create) }
      return try system.open(folder, name, flags, mode)
    }
    calls.write = { file, buffer throws(SystemError) in
      try step(.write)
      return try system.write(file, buffer)
    }
    calls.synchronize = { file throws(SystemError) in
      var status = stat()
      fstat(file, &status)
      // The real call is omitted: it takes most of the time, and power failures are not simulated.
      try step(status.st_mode & S_IFMT == S_IFDIR ? .confirm : .synchronize)
    }
    calls.rename = { folder, name, other, newName, flags throws(SystemError) in
      try step(.rename)
      try system.rename(folder, name, other, newName, flags)
    }
    return calls
  }
}
