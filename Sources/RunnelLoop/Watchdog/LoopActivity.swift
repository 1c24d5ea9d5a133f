import CStacks
import Glibc
import Synchronization

/// The present turn of a loop, which a watchdog reads on its own thread. Only the loop changes it.
final class LoopActivity: Sendable {
  /// True while a watchdog sleeps until this loop or another one has something to do.
  let isAwaited = Atomic(false)

  /// The number of the present turn. It is odd while the turn runs, and even while the loop waits.
  private let turn = Atomic(0)
  /// The number that the system has given to the thread of the loop.
  private let threadNumber = Atomic<pid_t>(0)
  private let recordsStacks = Atomic(false)

  var present: Int { turn.load(ordering: .relaxed) }
  var thread: pid_t { threadNumber.load(ordering: .relaxed) }

  /// The calling thread runs the loop from now on.
  func useThisThread() {
    threadNumber.store(runnel_thread_number(), ordering: .relaxed)
    if recordsStacks.load(ordering: .relaxed) { runnel_unblock_recorder() }
  }

  /// The calling thread, which runs the loop, answers the watchdog. So do later threads of the loop.
  func recordStacks() {
    recordsStacks.store(true, ordering: .relaxed)
    runnel_unblock_recorder()
  }

  /// A turn begins.
  func begin() {
    let present = present
    turn.store((present | 1) &+ 2, ordering: .relaxed)
    if present & 1 == 0 && isAwaited.load(ordering: .relaxed) { Watchdog.shared.call() }
  }

  /// The loop waits, or its run has ended.
  func rest() {
    turn.store(present & ~1, ordering: .relaxed)
  }

  /// The loop has something to do, perhaps after it has waited.
  @inline(__always)
  func wake() {
    if present & 1 == 0 { begin() }
  }
}
