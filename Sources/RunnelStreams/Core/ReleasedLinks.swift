/// The contents of the links that were released on one thread.
final class ReleasedLinks {
  private var waiting: [Any] = []
  private var isReleasing = false

  private static let perThread = ThreadLocal { ReleasedLinks() }

  static var ofThisThread: ReleasedLinks { perThread.value }

  func release(_ content: consuming Any) {
    waiting.append(content)
    guard !isReleasing else { return }
    isReleasing = true
    while let next = waiting.popLast() { withExtendedLifetime(next) {} }
    isReleasing = false
  }
}
