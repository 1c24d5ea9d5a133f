import CLibevent
import Glibc
import RunnelStreams

/// libevent's set of watched descriptors.
///
/// It has no locks: it belongs to the thread of its loop.
final class EventBase {
  let pointer: OpaquePointer

  init() {
    _ = Self.isSilenced
    guard let configuration = event_config_new() else { fatalError("Out of memory.") }
    defer { event_config_free(configuration) }
    // Without `EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST`, which misdelivers after dup and close.
    let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_NO_CACHE_TIME.rawValue
    event_config_set_flag(configuration, Int32(flags))
    guard let pointer = event_base_new_with_config(configuration) else {
      fatalError("There is no event loop without descriptors: raise the limit (ulimit -n).")
    }
    self.pointer = pointer
  }

  deinit {
    event_base_free(pointer)
  }

  /// Calls back for what is ready, once; where nothing is, it may wait until something is.
  func poll(waiting: Bool) {
    let flags = waiting ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK
    let status = event_base_loop(pointer, flags)
    require(status >= 0, "libevent could not wait for events: \(String(cString: strerror(errno)))")
  }

  /// What libevent would print comes back as a typed error instead.
  private static let isSilenced: Bool = {
    event_set_log_callback { _, _ in }
    return true
  }()
}
