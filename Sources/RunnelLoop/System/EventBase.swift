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
    // The environment could ask for that, or for another backend than epoll, which knows no edges: the
    // loop would spin on an eventfd that nobody reads.
    let flags =
      EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_NO_CACHE_TIME.rawValue
      | EVENT_BASE_FLAG_IGNORE_ENV.rawValue
    event_config_set_flag(configuration, Int32(flags))
    event_config_require_features(configuration, Int32(EV_FEATURE_ET.rawValue))
    // One for epoll, and two for signals, which are not used. Without them libevent ends the process.
    Descriptor.requireSpare(3)
    guard let pointer = event_base_new_with_config(configuration) else {
      fatalError("libevent has no event loop for this system: epoll is missing.")
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

  /// What libevent would print comes back as a typed error instead; except for an error that it does
  /// not go on from, as it ends the process after it.
  private static let isSilenced: Bool = {
    event_set_log_callback { severity, message in
      guard severity == EVENT_LOG_ERR, let message else { return }
      let text = "libevent: \(String(cString: message))\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
    }
    return true
  }()
}
