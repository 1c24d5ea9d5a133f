import CLibevent
import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting

/// Runs the body of a test on a thread that may wait, with a loop of its own that has ended when
/// the test has.
func withLoop<Output: Sendable>(
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
  func wait<Output: Sendable>(for body: @escaping @Sendable () -> Output) -> Output {
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
final class Log<Entry: Sendable>: Sendable {
  private let entries = Monitor<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }
  var count: Int { all.count }

  func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
  }

  /// Waits until there are so many, and returns them.
  @discardableResult
  func wait(for count: Int) -> [Entry] {
    entries.wait { $0.count >= count ? $0 : nil } ?? []
  }
}

/// State that only one loop touches, for closures that cross to it.
// Safety: tests only use it on one loop.
final class Confined<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Two ends of a pipe, closed when it is released.
final class Pipe: Sendable {
  let reading: Int32
  let writing: Int32

  init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func write(_ text: String) {
    _ = Glibc.write(writing, text, text.utf8.count)
  }

  func read() -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(reading, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
}
