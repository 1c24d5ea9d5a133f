import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// Runs the body of a test with a loop, on a thread that may block. The loop ends with the test.
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
  /// Runs a closure on the loop, waits for it, and returns its result.
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

/// An ordered list of events that any thread can add to.
package final class EventLog<Entry: Sendable>: Sendable {
  private let entries = Monitor<[Entry]>([])

  package init() {}

  package var all: [Entry] { entries.withLock { $0 } }
  package var count: Int { all.count }

  package func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
  }

  /// Waits until there are `count` entries, and returns all entries.
  @discardableResult
  package func wait(for count: Int) -> [Entry] {
    wait { $0.count >= count }
  }

  /// Waits until a condition holds for the entries, and returns all entries. After
  /// `longestWait` it records an issue and returns the entries that there are.
  @discardableResult
  package func wait(until holds: ([Entry]) -> Bool) -> [Entry] {
    if let found = entries.wait(atMost: longestWait, { holds($0) ? $0 : nil }) { return found }
    let all = all
    Issue.record("The condition does not hold after \(longestWait). The last entries: \(all.suffix(20))")
    return all
  }
}

/// A state that only one loop uses, for capture in `@Sendable` closures.
// Safety: tests use the value on one loop only.
package final class Confined<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

extension ExitTest.Result? {
  /// Returns true if the standard error of the process contains a message.
  package func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
