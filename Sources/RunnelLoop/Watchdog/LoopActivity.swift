import CStacks
import Glibc
import Synchronization

/// What a loop does now, for a watchdog on another thread.
///
/// Only the loop changes it. A look from outside may be late by an instant, which does not matter.
final class LoopActivity: Sendable {
  /// True while the watchdog sleeps until a loop has something to do.
  static let isAwaited = Atomic(false)

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
    if present & 1 == 0 { tellWatchdog() }
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

  private func tellWatchdog() {
    if Self.isAwaited.load(ordering: .relaxed) { Watchdog.shared.call() }
  }
}
