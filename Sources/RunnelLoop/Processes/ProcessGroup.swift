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
    guard let bytes = contentsOfShortFile("/proc/\(process)/stat", below: 4_096) else {
      return false
    }
    // The name, in parentheses, may contain spaces. The state, the parent and the group follow.
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 2, fields[2] == "\(group)" else { return false }
    return fields[0] != "Z" && fields[0] != "X"
  }
}
