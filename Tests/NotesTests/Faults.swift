import Glibc
import Runnel

/// The system, as long as nothing is to fail.
struct Faults: Sendable {
  /// What can fail.
  enum Call: CaseIterable {
    /// A file cannot be made.
    case create
    case write
    /// The disk does not confirm a file.
    case synchronize
    /// The disk does not confirm a folder: what was done in it is done all the same.
    case confirm
    case rename
  }

  private let current = Monitor<(call: Call, code: Int32)?>(nil)

  /// From now on a call fails, and no other one.
  func fail(_ call: Call, with code: Int32) { current.withLock { $0 = (call, code) } }

  /// From now on nothing fails.
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
      // A power failure is not among the faults, and waiting for the disk takes most of the time.
      try step(status.st_mode & S_IFMT == S_IFDIR ? .confirm : .synchronize)
    }
    calls.rename = { folder, name, other, newName, flags throws(SystemError) in
      try step(.rename)
      try system.rename(folder, name, other, newName, flags)
    }
    return calls
  }
}
