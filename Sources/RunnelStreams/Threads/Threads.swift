import Glibc

/// Starts a new thread that runs a closure. The caller must join the thread, or its memory is never
/// freed.
package func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  guard let thread = startThreadIfAllowed(body) else {
    fatalError("The system refused to create another thread for this process.")
  }
  return thread
}

/// Starts a thread as ``startThread(_:)`` does; nil if the system refuses to create one. The default
/// size of its stack is the one of the system.
package func startThreadIfAllowed(
  stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
) -> pthread_t? {
  var thread = pthread_t()
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
  // Safety: balanced by the new thread, which takes ownership of the object.
  let main = Unmanaged.passRetained(ThreadMain(body))
  let status = pthread_create(
    &thread, &attributes,
    { argument in
      // Safety: the argument is the object that was retained for this thread.
      if let argument { Unmanaged<ThreadMain>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, main.toOpaque())
  if status == 0 { return thread }
  main.release()
  return nil
}

/// Returns the calling thread.
///
/// Never inlined or treated as a constant. The C library declares `pthread_self` as constant, but
/// async code may change threads between two calls.
@inline(never)
@_optimize(none)
package func callingThread() -> pthread_t { pthread_self() }

package var isOnMainThread: Bool { ThreadIdentity.perThread.value.isMain }

/// The identity of one thread, cached because it costs a system call.
private final class ThreadIdentity {
  static let perThread = ThreadLocal { ThreadIdentity() }

  /// True for the main thread. Linux names a thread `process/task/thread`; the main thread has the
  /// number of its process.
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
