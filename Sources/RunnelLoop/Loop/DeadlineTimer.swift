import CLibevent
import Glibc
import RunnelStreams

/// The one descriptor that becomes readable when the loop's next timer is due.
///
/// A timerfd and not libevent's timeouts: those are late by milliseconds, or cost a system call
/// each turn.
final class DeadlineTimer {
  let descriptor = Descriptor(
    needed: timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK)))

  /// What it is set to. It may be earlier than what is needed: then the loop wakes once for nothing,
  /// which is cheaper than to set it again each time that a deadline is put off.
  private var deadline: Duration?

  /// The time of the clock that it goes by.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }

  /// Sees to it that it goes off at a deadline, if not before; never, without one.
  func set(to wanted: Duration?) {
    if let deadline, let wanted, deadline <= wanted { return }
    if deadline == wanted { return }
    deadline = wanted
    var setting = itimerspec()
    if let wanted { setting.it_value = timespec(roundingUp: wanted) }
    timerfd_settime(descriptor.number, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  /// To be called when it has gone off.
  func hasGoneOff() {
    deadline = nil
  }
}

extension timespec {
  /// A time of the clock, never earlier than what was asked for.
  fileprivate init(roundingUp time: Duration) {
    // Clocks end somewhere, and in a thousand years is as good as never. A longer time might not even
    // have its seconds in 64 bits.
    let (seconds, attoseconds) = min(time, .seconds(1 << 35)).components
    let nanoseconds = (attoseconds + 999_999_999) / 1_000_000_000
    self.init(
      tv_sec: Int(seconds) + Int(nanoseconds / 1_000_000_000),
      tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
