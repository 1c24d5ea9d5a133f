import CLinux
import Glibc
import RunnelStreams
import Synchronization

/// A child from its start until it is reaped.
///
/// The loop retains this object until then, so that no child remains a zombie.
///
///     starting ──▶ running ──▶ awaitingGroup ──▶ ended
///                     └────────────────────────────▲
final class ProcessWatch {
  private enum Phase {
    /// The child is not watched yet.
    case starting
    /// The child runs. If it was asked to end, it is killed at `killTime`.
    case running(Watch, killTime: Duration?)
    /// The child was reaped, and processes of its group that were asked to end may still run.
    case awaitingGroup
    case ended(ProcessStatus)
  }

  private static let running = Atomic(0)
  static var runningCount: Int { running.load(ordering: .relaxed) }

  let identifier: pid_t
  /// Sends the status once.
  let ended = LastValueStream<ProcessStatus, Never>()
  private(set) var hasTimedOut = false
  private var phase = Phase.starting
  private let group: ProcessOptions.Group
  // A pidfd. It refers to this process even if its identifier is reused.
  private let descriptor: Descriptor
  private let alarm: RestartableTimer
  private let timeoutAlarm: RestartableTimer
  private let loop: EventLoop

  init(of spawn: Spawn, on loop: EventLoop) throws(ProcessError) {
    self.loop = loop
    group = spawn.options.group
    alarm = RestartableTimer(on: loop)
    timeoutAlarm = RestartableTimer(on: loop)
    // Reserves a descriptor, so that one is available for the pidfd once the program runs.
    var reserve: Descriptor? = try .reserve()
    identifier = try spawn.start()
    withExtendedLifetime(reserve) {}
    reserve = nil
    descriptor = Descriptor(owning: runnel_pidfd_open(identifier))
    do throws(DescriptorError) {
      guard descriptor.number >= 0 else { throw DescriptorError(errno, -1) }
      let watch = try Watch(descriptor.number, for: .reading, on: loop) { self.reap() }
      phase = .running(watch, killTime: nil)
    } catch {
      // The end of the child could not be observed, so it is killed. Without a process of this
      // identifier, another part of the program has reaped it.
      if error != .system(ESRCH) { Glibc.kill(identifier, SIGKILL) }
      while waitpid(identifier, nil, 0) < 0 && errno == EINTR {}
      throw ProcessError(error)
    }
    Self.running.add(1, ordering: .relaxed)
    guard let timeout = spawn.options.timeout else { return }
    let grace = spawn.options.grace
    timeoutAlarm.set(after: timeout) {
      self.hasTimedOut = true
      self.terminate(with: .terminate, grace: grace)
    }
  }

  deinit {
    switch phase {
    case .running, .awaitingGroup: Self.running.subtract(1, ordering: .relaxed)
    case .starting, .ended: break
    }
  }

  var status: ProcessStatus? { if case .ended(let status) = phase { status } else { nil } }

  func terminate(with signal: Signal, grace: Duration) {
    // A child that has ended may still wait for its group.
    guard case .running(let watch, let earlier) = phase else { return }
    send(signal)
    // Repeated calls do not postpone the kill.
    let limit = alarm.now.plus(max(grace, .zero))
    let killTime = min(earlier ?? limit, limit)
    phase = .running(watch, killTime: killTime)
    alarm.set(at: killTime) { self.send(.kill) }
  }

  @discardableResult
  func send(_ signal: Signal) -> Bool {
    loop.mustBeCurrent("signalling a ChildProcess")
    guard case .running = phase else { return false }
    if group != .inherited {
      // The group has no descriptor. Its identifier is not reused before the child is reaped. If
      // another part of the program reaps children, the descriptor tells.
      guard runnel_pidfd_send_signal(descriptor.number, 0) == 0 else { return false }
      if Glibc.kill(-identifier, signal.rawValue) == 0 { return true }
      // The child may have left its group.
    }
    return runnel_pidfd_send_signal(descriptor.number, signal.rawValue) == 0
  }

  private func reap() {
    guard case .running(let watch, let killTime) = phase else { return }
    // The others in the group may have been asked to end, too. Otherwise they are killed before the
    // child is reaped, since the identifier of the group may be reused afterwards.
    let isGraceful = killTime.map { alarm.now < $0 } ?? false
    if group == .ownUntilExit && !isGraceful { send(.kill) }
    var code: Int32 = 0
    let kind = runnel_reap(descriptor.number, &code)
    if kind == 0 { return }
    let status: ProcessStatus =
      if kind < 0 { .unknown } else if kind == CLD_EXITED { .exited(code) } else {
        .ended(by: Signal(rawValue: code))
      }
    timeoutAlarm.tearDown()
    watch.end()
    guard group == .ownUntilExit, isGraceful, let killTime else { return finish(status) }
    phase = .awaitingGroup
    awaitGroup(status, until: killTime, .milliseconds(5))
  }

  /// Waits until the group of the child has no process that runs, or is killed. Identifiers are reused in
  /// turn, so that no other group has this one soon.
  private func awaitGroup(_ status: ProcessStatus, until killTime: Duration, _ pause: Duration) {
    let runs = ProcessGroup.runs(identifier)
    guard runs, alarm.now < killTime else {
      if runs { Glibc.kill(-identifier, SIGKILL) }
      return finish(status)
    }
    alarm.set(after: pause) {
      self.awaitGroup(status, until: killTime, min(pause * 2, .milliseconds(200)))
    }
  }

  private func finish(_ status: ProcessStatus) {
    phase = .ended(status)
    Self.running.subtract(1, ordering: .relaxed)
    alarm.tearDown()
    ended.next(status)
    ended.completed()
  }
}
