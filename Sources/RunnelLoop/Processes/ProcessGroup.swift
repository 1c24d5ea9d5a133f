import Glibc

/// Process groups, which have no descriptor.
enum ProcessGroup {
  /// Returns true if a process of a group runs. A process that has ended and is not reaped does not count.
  static func runs(_ group: pid_t) -> Bool {
    if kill(-group, 0) != 0 && errno == ESRCH { return false }
    guard let folder = opendir("/proc") else { return true }
    defer { closedir(folder) }
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while let entry = readdir(folder) {
      // Safety: the name ends with a zero.
      let name = String(
        cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      guard let process = pid_t(name) else { continue }
      if runs(process, in: group) { return true }
    }
    return false
  }

  private static func runs(_ process: pid_t, in group: pid_t) -> Bool {
    // The state, the parent and the group.
    let fields = ProcessNumbers.fields(of: "\(process)")
    return fields.count > 2 && fields[2] == "\(group)" && ProcessNumbers.runs(fields)
  }
}
