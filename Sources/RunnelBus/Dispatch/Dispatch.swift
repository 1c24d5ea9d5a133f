import RunnelStreams

/// The delivery order of a bus and all buses within it: one event at a time.
@usableFromInline
final class Dispatch {
  @usableFromInline @exclusivity(unchecked) var isBusy = false
  /// The number of the delivery. It is odd during a delivery, even between two, and always
  /// increases.
  @usableFromInline @exclusivity(unchecked) var turn = 0
  @usableFromInline @exclusivity(unchecked) var waiting = Queue<() -> Void>()
  /// The number of observers of a trace.
  @usableFromInline @exclusivity(unchecked) var tracers = 0
  private var receivers: [EventTrace.Receiver] = []
  let family: BusFamily
  /// Sends when a bus begins or ends to answer requests that other programs may ask.
  let answerChanges = PushStream<Void>()

  init(_ inputs: StampInputs) {
    family = BusFamily(inputs)
  }

  /// Returns false during another delivery; then the event must be queued.
  @inlinable
  func begin() -> Bool {
    if isBusy { return false }
    isBusy = true
    return true
  }

  /// Ends a delivery, after it has delivered the queued events.
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

  /// Receivers that were recorded for an earlier trace are dropped.
  func beginTrace() {
    if !isTraced { receivers = [] }
    tracers += 1
  }

  func note(_ receiver: EventTrace.Receiver) {
    receivers.append(receiver)
  }

  /// Returns the receivers of the latest event.
  func takeReceivers() -> [EventTrace.Receiver] {
    defer { receivers = [] }
    return receivers
  }
}
