#if GTK
import CGTK
import Synchronization
import Testing

/// Turns the warnings of GTK and its libraries into issues of the running test.
enum Warnings {
  /// A part of a warning that is no issue.
  static let expected = Mutex<String?>(nil)

  /// Begins once for the process.
  @MainActor static let areIssues: Void = g_log_set_writer_func(
    { level, fields, count, _ in
      let isProblem =
        level.rawValue & (G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_CRITICAL.rawValue) != 0
      guard isProblem else { return G_LOG_WRITER_HANDLED }
      let texts = UnsafeBufferPointer(start: fields, count: Int(count)).compactMap { field in
        let isText = ["GLIB_DOMAIN", "MESSAGE"].contains(String(cString: field.key))
        return isText
          ? field.value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } : nil
      }
      let text = texts.sorted().joined(separator: ": ")
      if let part = expected.withLock({ $0 }), text.contains(part) { return G_LOG_WRITER_HANDLED }
      Issue.record("GTK warns: \(text)")
      return G_LOG_WRITER_HANDLED
    }, nil, nil)
}
#endif
