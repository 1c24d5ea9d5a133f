import Glibc

/// Starts a thread of its own for a closure. Join it, or it is never freed.
package func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  guard let thread = startThreadIfAllowed(body) else {
    fatalError("The system gives this process no more threads.")
  }
  return thread
}

/// The same where the system gives this process one more.
package func startThreadIfAllowed(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  var thread = pthread_t()
  // Safety: balanced by the new thread, which takes the object over.
  let main = Unmanaged.passRetained(ThreadMain(body))
  let status = pthread_create(
    &thread, nil,
    { argument in
      // Safety: the argument is the object that was retained for this thread.
      if let argument { Unmanaged<ThreadMain>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, main.toOpaque())
  if status == 0 { return thread }
  main.release()
  return nil
}

/// The calling thread. Never inlined, and never taken for a constant, which the C library declares
/// `pthread_self` to be: async code may change threads between two uses.
@inline(never)
@_optimize(none)
package func callingThread() -> pthread_t { pthread_self() }

/// Whether the calling thread is the one that the process began with.
package var isOnMainThread: Bool { ThreadIdentity.perThread.value.isMain }

/// A fact about a thread that costs a system call to find out.
private final class ThreadIdentity {
  static let perThread = ThreadLocal { ThreadIdentity() }

  /// Linux names a thread by `process/task/thread`; the main thread's number is the process's.
  let isMain: Bool = {
    var name = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/thread-self", &name, name.count)
    guard length > 0 else { return false }
    let parts = name.prefix(length).split(separator: CChar(UInt8(ascii: "/")))
    return parts.count == 3 && parts[0] == parts[2]
  }()
}

private final class ThreadMain {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
