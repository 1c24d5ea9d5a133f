import Foundation
import RunnelCollections
import RunnelFiles
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

/// Polls until a condition holds. Fails the test after `longestWait`.
func poll(until holds: () -> Bool, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
  let clock = ContinuousClock()
  let end = clock.now + longestWait
  while !holds() {
    if clock.now > end {
      Issue.record("The condition did not hold within \(longestWait).", sourceLocation: sourceLocation)
      return
    }
    sched_yield()
  }
}

/// Writes a file in one step, so that no partial contents are visible.
func replaceFile(_ path: String, _ text: String) throws {
  let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
  let new = "\(folder).runnel-\(UUID())"
  writeFile(new, text.utf8)
  guard rename(new, path) == 0 else { throw SystemError(errno) }
}

/// An object on a private loop, with a folder that is deleted with it.
// Safety: the object is used on the loop only.
final class OnLoop<Object>: @unchecked Sendable {
  let path: String
  let loop = EventLoop(name: "files")
  private var object: Object?

  init(_ make: @escaping @Sendable (String, EventLoop) -> Object) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "runnel-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    loop.wait { [self] in object = make(path, loop) }
  }

  /// Releases the object and the loop. Call this at the end of a test, on its thread.
  func close() {
    loop.wait { [self] in object = nil }
    loop.stop()
    loop.join()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Runs a closure on the loop.
  @discardableResult
  func callAsFunction<Output: Sendable>(
    _ body: @escaping @Sendable (Object) -> Output
  ) -> Output {
    loop.wait { [self] in
      guard let object else { fatalError("The object was closed.") }
      return body(object)
    }
  }

  /// Waits until a condition holds.
  func settle(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ condition: @escaping @Sendable (Object) -> Bool
  ) {
    poll(until: { self(condition) }, sourceLocation: sourceLocation)
  }

  /// Writes a file in one step, so that no partial contents are visible.
  func write(_ name: String, _ text: String) throws {
    try replaceFile("\(path)/\(name)", text)
  }

  func read(_ name: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
