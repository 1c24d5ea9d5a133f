import CLinux
import Glibc
import RunnelStreams

/// A timerfd that becomes readable when the loop's next timer is due.
///
/// It replaces libevent's timeouts, which are late by milliseconds or cost a system call per turn.
final class DeadlineTimer {
  let descriptor = Descriptor(
    needed: timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK)))

  /// The deadline that the descriptor is set to. It may be earlier than the next timer. The loop
  /// then wakes once without work, which is cheaper than setting the descriptor at each
  /// postponement.
  private var deadline: Duration?

  /// The current time on `CLOCK_MONOTONIC`.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }

  /// Ensures that the descriptor fires at `wanted` or earlier. With nil, it need not fire.
  func set(to wanted: Duration?) {
    if let deadline, let wanted, deadline <= wanted { return }
    if deadline == wanted { return }
    deadline = wanted
    var setting = itimerspec()
    if let wanted { setting.it_value = timespec(roundingUp: wanted) }
    timerfd_settime(descriptor.number, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  /// Resets the deadline. Call this after the descriptor has fired.
  func hasGoneOff() {
    deadline = nil
  }
}

extension timespec {
  /// A time that is rounded up to whole nanoseconds.
  fileprivate init(roundingUp time: Duration) {
    // The limit of about 1,000 years avoids overflow: the seconds of a longer time may exceed 64
    // bits.
    let (seconds, attoseconds) = min(time, .seconds(1 << 35)).components
    let nanoseconds = (attoseconds + 999_999_999) / 1_000_000_000
    self.init(
      tv_sec: Int(seconds) + Int(nanoseconds / 1_000_000_000),
      tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
