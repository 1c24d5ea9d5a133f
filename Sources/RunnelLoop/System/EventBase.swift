import CLibevent
import Glibc
import RunnelStreams

/// The set of descriptors that libevent watches for one loop.
///
/// It has no locks and is used only on the thread of its loop.
final class EventBase {
  let pointer: OpaquePointer
  /// True while handlers are called. libevent cannot wait inside a handler.
  private(set) var isPolling = false

  init() {
    _ = Self.isSilenced
    guard let configuration = event_config_new() else { fatalError("Out of memory.") }
    defer { event_config_free(configuration) }
    // `EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST` is not set: it misdelivers after dup and close. The
    // environment is ignored because it could enable that flag, or select a backend without edge
    // triggering. Without edge triggering the loop would spin on an eventfd that is never read.
    let flags =
      EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_NO_CACHE_TIME.rawValue
      | EVENT_BASE_FLAG_IGNORE_ENV.rawValue
    event_config_set_flag(configuration, Int32(flags))
    event_config_require_features(configuration, Int32(EV_FEATURE_ET.rawValue))
    // libevent opens one for epoll and two for signals, and ends the process if it cannot.
    Descriptor.requireSpare(3)
    guard let pointer = event_base_new_with_config(configuration) else {
      fatalError("libevent found no epoll on this system. Runnel needs epoll.")
    }
    self.pointer = pointer
  }

  deinit {
    event_base_free(pointer)
  }

  /// Calls the handlers of all ready descriptors once. If `waiting` is true and none is ready,
  /// waits for one.
  func poll(waiting: Bool) {
    let flags = waiting ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK
    isPolling = true
    let status = event_base_loop(pointer, flags)
    isPolling = false
    require(status >= 0, "libevent could not wait for events: \(String(cString: strerror(errno)))")
  }

  /// Suppresses the log output of libevent, whose errors are reported as typed errors instead.
  /// Fatal errors are still printed, because libevent ends the process after them.
  private static let isSilenced: Bool = {
    event_set_log_callback { severity, message in
      guard severity == EVENT_LOG_ERR, let message else { return }
      let text = "libevent: \(String(cString: message))\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
    }
    return true
  }()
}
