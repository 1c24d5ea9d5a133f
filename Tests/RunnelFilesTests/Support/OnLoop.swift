import Foundation
import RunnelCollections
import RunnelFiles
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

/// Looks again and again until something holds. What has not come in a minute never does: then the test fails.
func look(until holds: () -> Bool, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(60)
  while !holds() {
    if clock.now > end {
      Issue.record("What was waited for does not come.", sourceLocation: sourceLocation)
      return
    }
    sched_yield()
  }
}

/// Writes a file in one step, and returns when nobody has it open for writing any more.
func writeFile(_ path: String, _ text: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  waitUntilClosed(path)
}

/// Something that lives on a loop of its own, with a folder that is deleted with it.
// Safety: it is only touched on the loop.
final class OnLoop<Object>: @unchecked Sendable {
  let path: String
  let loop = EventLoop(name: "files")
  private var object: Object?

  init(_ make: @escaping @Sendable (String, EventLoop) -> Object) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "runnel-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    run { [self] in object = make(path, loop) }
  }

  /// To be called at the end of a test, on its thread.
  func close() {
    run { [self] in object = nil }
    loop.stop()
    loop.join()
    try? FileManager.default.removeItem(atPath: path)
  }

  private func run<Output: Sendable>(_ body: @escaping @Sendable () -> Output) -> Output {
    let outcome = Monitor<Output?>(nil)
    loop.execute {
      let output = body()
      outcome.withLock { $0 = output }
    }
    guard let output = outcome.wait({ $0 }) else { fatalError("A wait without a deadline.") }
    return output
  }

  /// Runs a closure on the loop.
  @discardableResult
  func callAsFunction<Output: Sendable>(
    _ body: @escaping @Sendable (Object) -> Output
  ) -> Output {
    run { [self] in
      guard let object else { fatalError("It is closed.") }
      return body(object)
    }
  }

  /// Waits until something holds.
  func settle(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ condition: @escaping @Sendable (Object) -> Bool
  ) {
    look(until: { self(condition) }, sourceLocation: sourceLocation)
  }

  /// In one step: nobody sees half of it.
  func write(_ name: String, _ text: String) throws {
    try writeFile("\(path)/\(name)", text)
  }

  func read(_ name: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
