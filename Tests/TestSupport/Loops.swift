import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// Runs the body of a test on a thread that may wait, with a loop of its own that has ended when
/// the test has.
package func withLoop<Output: Sendable>(
  _ name: String = "test", _ body: @escaping @Sendable (EventLoop) -> Output
) async -> Output {
  await ManualContext.onThread { _ in
    let loop = EventLoop(name: name)
    defer {
      loop.stop()
      loop.join()
    }
    return body(loop)
  }
}

extension EventLoop {
  /// Runs a closure on the loop, and waits for what it returns.
  package func wait<Output: Sendable>(for body: @escaping @Sendable () -> Output) -> Output {
    let outcome = Monitor<Output?>(nil)
    execute {
      let output = body()
      outcome.withLock { $0 = output }
    }
    guard let output = outcome.wait({ $0 }) else { fatalError("A wait without a deadline.") }
    return output
  }
}

/// What happened, in order, from any thread.
package final class Log<Entry: Sendable>: Sendable {
  private let entries = Monitor<[Entry]>([])

  package init() {}

  package var all: [Entry] { entries.withLock { $0 } }
  package var count: Int { all.count }

  package func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
  }

  /// Waits until there are so many, and returns them.
  @discardableResult
  package func wait(for count: Int) -> [Entry] {
    entries.wait { $0.count >= count ? $0 : nil } ?? []
  }
}

/// State that only one loop touches, for closures that cross to it.
// Safety: tests only use it on one loop.
package final class Confined<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

extension ExitTest.Result? {
  /// Whether the process that trapped gave this reason.
  package func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
