#if GTK
import CGTK
import Testing

/// Turns the warnings of GTK and its libraries into issues of the running test.
enum Warnings {
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
      Issue.record("GTK warns: \(texts.sorted().joined(separator: ": "))")
      return G_LOG_WRITER_HANDLED
    }, nil, nil)
}
#endif
