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

  @usableFromInline
  init() {}

  /// Begins the delivery of an event. Returns false during another delivery; then the event must be
  /// queued.
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

/// An observer of events, as traces describe it.
@usableFromInline
final class TracedReceiver {
  @usableFromInline let dispatch: Dispatch
  // Safety: only used during a delivery, while the bus exists.
  private unowned(unsafe) let bus: EventBus
  private let name: String?
  private let location: SourceLocation

  @usableFromInline
  init(to bus: EventBus, as name: String?, at location: SourceLocation) {
    dispatch = bus.dispatch
    self.bus = bus
    self.name = name
    self.location = location
  }

  /// Records this observer as a receiver of the event, if there is a trace.
  @inlinable
  func noteIfTraced() {
    if dispatch.isTraced { note() }
  }

  @usableFromInline
  func note() {
    dispatch.note(EventTrace.Receiver(name: name ?? "\(location)", bus: bus.path))
  }
}
