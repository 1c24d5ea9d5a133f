import CStacks
import Glibc

/// The stacks of other threads of this process. Only the thread of the watchdog uses it.
enum StackRecorder {
  /// A thread that sleeps in the kernel without a way to interrupt it does not answer.
  private static let patience: Int32 = 200
  /// The functions that are shown of a deep stack, from its inner and its outer end.
  private static let shownCount = (inner: 16, outer: 8)

  /// Returns the places in the code where the thread of a loop is, the innermost first.
  static func addresses(of loop: WatchedLoop) -> [UInt] {
    guard let thread = loop.activity?.thread else { return [] }
    var addresses = [UInt](repeating: 0, count: Int(runnel_stack_limit))
    let count = runnel_stack_of(thread, patience, &addresses)
    return Array(addresses[..<Int(count)])
  }

  /// Returns the functions at some addresses. Functions of the loop itself are left out.
  static func names(of addresses: [UInt]) -> [String] {
    var files: [String: SymbolFile] = [:]
    let symbols = trimmed(addresses.map { SymbolFile.symbol(at: $0, &files) })
    let names = symbols.map { SymbolFile.readable($0) }
    guard names.count > shownCount.inner + shownCount.outer else { return names }
    return names.prefix(shownCount.inner) + ["…"] + names.suffix(shownCount.outer)
  }

  /// Removes the functions that each turn has, from the outermost to those which call the code of the
  /// program.
  static func trimmed(_ symbols: [String]) -> [String] {
    guard let turn = symbols.firstIndex(where: { $0.hasPrefix(turnPrefix) }) else {
      return symbols
    }
    let inner = symbols[..<turn]
    guard let last = inner.lastIndex(where: { !isOfLoop($0) }) else { return Array(inner) }
    return Array(inner[...last])
  }

  /// The method `turn` of ``EventLoop``.
  private static let turnPrefix = "$s10RunnelLoop05EventB0C4turn"
  private static let loopPrefixes = [
    "$s10RunnelLoop", "event_", "libevent", "libdispatch", "_dispatch_", "swift_job_run",
    "_ZN5swift34runJobInEstablishedExecutorContext",
  ]

  private static func isOfLoop(_ symbol: String) -> Bool {
    loopPrefixes.contains { symbol.hasPrefix($0) }
  }
}
