import RunnelLoop

/// Returns true if a process exists and has not ended. A process that is not reaped yet has ended.
package func isRunning(_ process: Int32) -> Bool {
  guard let bytes = contentsOfShortFile("/proc/\(process)/stat", below: 4_096) else { return false }
  // The state follows the name, which is in parentheses.
  let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last ?? ""
  return !fields.hasPrefix(" Z") && !fields.hasPrefix(" X")
}
