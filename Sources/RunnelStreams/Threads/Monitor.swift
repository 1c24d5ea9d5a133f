import Glibc

/// State that several threads share, with a way to wait for a condition.
// Safety: `state` is only accessed while `mutex` is held. The deinit frees the pointers.
@usableFromInline
package final class Monitor<State>: @unchecked Sendable {
  @usableFromInline var state: State
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  @usableFromInline
  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Accesses the state, and wakes the waiting threads so that they check their conditions.
  @inlinable
  package func withLock<Output>(_ body: (inout State) -> Output) -> Output {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until the body returns a value; nil if the deadline passes first.
  package func wait<Output>(
    until deadline: timespec? = nil, _ body: (inout State) -> Output?
  ) -> Output? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = body(&state) { return found }
      if var deadline {
        if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return body(&state) }
      } else {
        pthread_cond_wait(changed, mutex)
      }
    }
  }

  /// Waits until the body returns a value; nil if that takes longer than the limit.
  package func wait<Output>(
    atMost limit: Duration, _ body: (inout State) -> Output?
  ) -> Output? {
    wait(until: timespec(after: limit), body)
  }
}

extension timespec {
  package var duration: Duration { .seconds(tv_sec) + .nanoseconds(tv_nsec) }

  /// The longest wait. The system's clock cannot represent much more.
  private static let longestWait = Duration.seconds(1 << 40)

  /// Creates a deadline at a distance from now, on the clock that monitors use. A negative duration
  /// counts as zero.
  package init(after duration: Duration) {
    self.init()
    clock_gettime(CLOCK_MONOTONIC, &self)
    let (seconds, attoseconds) = min(max(duration, .zero), Self.longestWait).components
    let nanoseconds = tv_nsec + Int(attoseconds / 1_000_000_000)
    tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    tv_nsec = nanoseconds % 1_000_000_000
  }
}
