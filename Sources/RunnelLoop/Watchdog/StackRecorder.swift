import CStacks
import Glibc

/// The stacks of other threads of this process. Only the watchdog uses it.
enum StackRecorder {
  private static let isInstalled = runnel_install_recorder() != 0
  /// A thread that sleeps in the kernel without a way to interrupt it does not answer.
  private static let patience: Int32 = 200

  /// Returns the functions that a thread runs, the innermost first, without those of its loop.
  static func stack(of thread: pid_t) -> [String] {
    guard isInstalled else { return [] }
    var addresses = [UInt](repeating: 0, count: Int(runnel_stack_limit))
    let count = runnel_stack_of(thread, patience, &addresses)
    var files: [String: SymbolFile] = [:]
    return trimmed(addresses[..<Int(count)].map { SymbolFile.function(at: $0, &files) })
  }

  /// Removes the functions that each turn has, from the outermost to those which call the code of the
  /// program.
  static func trimmed(_ names: [String]) -> [String] {
    guard let turn = names.firstIndex(where: { $0.contains("RunnelLoop.EventLoop.(turn") }) else {
      return names
    }
    let inner = names[..<turn]
    guard let last = inner.lastIndex(where: { !isOfLoop($0) }) else { return Array(inner) }
    return Array(inner[...last])
  }

  private static func isOfLoop(_ name: String) -> Bool {
    name.contains("RunnelLoop.") || name.hasPrefix("event_")
      || name.hasPrefix("_dispatch_main_queue") || name.hasPrefix("swift_job_run")
      || name.contains("runJobInEstablishedExecutorContext")
  }
}
