import RunnelLoop
import RunnelStreams

/// The objects of a group that belong to one of its loops.
// Safety: `parts` is only used on the loop.
final class LoopMember: @unchecked Sendable {
  let loop: EventLoop
  private var parts: [ObjectIdentifier: any MemberPart] = [:]

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  func add(_ part: any MemberPart) {
    parts[ObjectIdentifier(part)] = part
  }

  func remove(_ part: any MemberPart) {
    release(parts.removeValue(forKey: ObjectIdentifier(part)))
  }

  /// Stops all parts, and releases their values at the end of the turn: observers of connections
  /// may still use them when they receive the end.
  func stop() {
    for part in parts.values { part.stop() }
    loop.inputOutput.atEndOfTurn(self)
  }
}

extension LoopMember: EndOfTurnTask {
  func runAtEndOfTurn() {
    for part in exchange(&parts, with: [:]).values { part.end() }
  }
}

/// One loop's part of a listener or of a ``PerLoop``.
protocol MemberPart: AnyObject {
  /// Handles the stop of the group.
  func stop()

  /// Releases what belongs to the loop.
  func end()
}

/// One loop's value of a ``PerLoop``, or one loop's listener.
// Safety: `state` is only used on the loop of the member.
final class LoopPart<State>: MemberPart, @unchecked Sendable {
  let member: LoopMember
  private let make: @Sendable (EventLoop) -> State
  private let stopping: @Sendable (State) -> Void
  private var state: State?

  init(
    _ member: LoopMember, _ make: @escaping @Sendable (EventLoop) -> State,
    stopping: @escaping @Sendable (State) -> Void = { _ in }
  ) {
    self.member = member
    self.make = make
    self.stopping = stopping
  }

  var loop: EventLoop { member.loop }

  /// Makes the value soon. May be called on any thread.
  func begin() {
    loop.execute {
      self.member.add(self)
      _ = self.value
    }
  }

  /// The value, which is made when it is used before its job runs.
  var value: State {
    if let state { return state }
    let made = make(loop)
    // Making it may have used it.
    if let state { return state }
    state = made
    return made
  }

  /// Runs a closure with the value soon. May be called on any thread.
  func send(_ action: @escaping @Sendable (State) -> Void) {
    loop.execute { action(self.value) }
  }

  func stop() {
    if let state { stopping(state) }
  }

  func end() {
    release(exchange(&state, with: nil))
  }
}
