import RunnelStreams

/// The order of all that happens on a bus and those within it: one thing after the other.
@usableFromInline
final class Dispatch {
  @usableFromInline @exclusivity(unchecked) var isBusy = false
  /// Odd while something is told: another number for each, and for each time between them.
  @usableFromInline @exclusivity(unchecked) var turn = 0
  @usableFromInline @exclusivity(unchecked) var waiting = Queue<() -> Void>()
  /// How many observe a trace.
  @usableFromInline @exclusivity(unchecked) var tracers = 0
  private var receivers: [EventTrace.Receiver] = []

  @usableFromInline
  init() {}

  /// Begins to tell an event; false while another one is told, after which it has its turn.
  @inlinable
  func begin() -> Bool {
    if isBusy { return false }
    isBusy = true
    return true
  }

  /// Ends what was begun, and what has come meanwhile.
  @inlinable
  func end() {
    if !waiting.isEmpty { drain() }
    isBusy = false
  }

  @usableFromInline
  func drain() {
    while let action = waiting.popFirst() { action() }
  }

  // MARK: - Traces

  @inlinable
  var isTraced: Bool { tracers > 0 }

  /// What was noted for a trace that has ended meanwhile is not for the next one.
  func beginTrace() {
    if !isTraced { receivers = [] }
    tracers += 1
  }

  func note(_ receiver: EventTrace.Receiver) {
    receivers.append(receiver)
  }

  /// Who has got the event that was told last.
  func takeReceivers() -> [EventTrace.Receiver] {
    defer { receivers = [] }
    return receivers
  }
}
