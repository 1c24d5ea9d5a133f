/// The objects that wait to be released on one thread, one after the other.
///
/// An object that may be the beginning of a long chain of objects releases the next one here.
/// Otherwise, releasing the chain would nest a call for each object.
package final class ReleaseQueue {
  private var waiting: [Any] = []
  private var isReleasing = false

  private static let perThread = ThreadLocal { ReleaseQueue() }

  package static var ofThisThread: ReleaseQueue { perThread.value }

  /// Releases a value at once, or when the release that is under way has returned.
  package func release(_ content: consuming Any) {
    waiting.append(content)
    guard !isReleasing else { return }
    isReleasing = true
    while let next = waiting.popLast() { withExtendedLifetime(next) {} }
    isReleasing = false
  }
}
