import CLinux
import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import Testing

/// System calls with simulated faults and file system limitations.
struct FaultyCalls {
  /// The operations that the file system supports.
  enum Ability: CaseIterable {
    case exchange
    case noReplace
    case links
    case replaceOnly
  }

  /// A fault: the index of the failing call, from 0, and its error.
  struct Fault {
    var index: Int
    var code: Int32
    /// True if all later calls fail too, except for removing files.
    var lasts = false
  }

  /// Lets each call fail in turn, with each error, once or from then on. The check makes all calls,
  /// and returns true if one of them has failed.
  static func failEach(
    _ codes: [Int32], _ context: String, _ check: (Fault) throws -> Bool
  ) rethrows {
    for code in codes {
      for lasts in [false, true] where !(lasts && code == EINTR) {
        var index = 0
        while try check(Fault(index: index, code: code, lasts: lasts)) { index += 1 }
        #expect(index >= 7, "\(context) took \(index) calls")
      }
    }
  }

  private let count = Monitor(0)
  private let hits = Monitor<[String]>([])

  /// The names of the calls that have failed.
  var failed: [String] { hits.withLock { $0 } }

  func calls(_ fault: Fault?, on ability: Ability = .exchange) -> FileCalls {
    let (count, hits) = (count, hits)
    let step: @Sendable (String) throws(SystemError) -> Void = { kind throws(SystemError) in
      guard let fault else { return }
      let index = count.withLock { count in
        defer { count += 1 }
        return count
      }
      let isLater = index > fault.index && fault.lasts && kind != "unlink"
      guard index == fault.index || isLater else { return }
      hits.withLock { $0.append(kind) }
      throw SystemError(fault.code)
    }
    var calls = FileCalls.system
    let system = calls
    calls.open = { folder, name, flags, mode throws(SystemError) in
      // A new file must not replace that of another process, or be written through a link.
      let isAlone = flags & (O_EXCL | O_NOFOLLOW) == O_EXCL | O_NOFOLLOW
      #expect(flags & O_CREAT == 0 || isAlone, "\(name)")
      try step(flags & O_CREAT == 0 ? "open" : "create")
      return try system.open(folder, name, flags, mode)
    }
    calls.close = { file throws(SystemError) in
      try system.close(file)
      try step("close")
    }
    calls.read = { file, buffer throws(SystemError) in
      try step("read")
      return try system.read(file, buffer)
    }
    calls.write = { file, buffer throws(SystemError) in
      try step("write")
      // Writes a third per call, so that a save can fail in the middle.
      let part = UnsafeRawBufferPointer(rebasing: buffer.prefix(buffer.count / 3 + 1))
      return try system.write(file, part)
    }
    calls.truncate = { file, size throws(SystemError) in
      try step("truncate")
      try system.truncate(file, size)
    }
    calls.synchronize = { file throws(SystemError) in
      var status = stat()
      fstat(file, &status)
      // Waiting for the disk would take most of the time, and power failures are not simulated.
      try step(status.st_mode & S_IFMT == S_IFDIR ? "confirm" : "fsync")
    }
    calls.setOwner = { file, user, group throws(SystemError) in
      try step("chown")
      try system.setOwner(file, user, group)
    }
    calls.setMode = { file, mode throws(SystemError) in
      try step("chmod")
      try system.setMode(file, mode)
    }
    calls.accessList = { file throws(SystemError) in
      try step("getfacl")
      return try system.accessList(file)
    }
    calls.setAccessList = { file, list throws(SystemError) in
      try step("setfacl")
      try system.setAccessList(file, list)
    }
    calls.rename = { folder, name, other, newName, flags throws(SystemError) in
      try step(flags == runnel_exchange ? "exchange" : "rename")
      let isKnown =
        switch ability {
        case .exchange: true
        case .noReplace: flags != runnel_exchange
        case .links, .replaceOnly: flags == 0
        }
      guard isKnown else { throw SystemError(EINVAL) }
      try system.rename(folder, name, other, newName, flags)
    }
    calls.link = { folder, name, other, newName throws(SystemError) in
      try step("link")
      guard ability != .replaceOnly else { throw SystemError(EPERM) }
      try system.link(folder, name, other, newName)
    }
    calls.unlink = { folder, name throws(SystemError) in
      try step("unlink")
      try system.unlink(folder, name)
    }
    calls.lock = { folder, operation throws(SystemError) in
      try step("lock")
      try system.lock(folder, operation)
    }
    return calls
  }
}
