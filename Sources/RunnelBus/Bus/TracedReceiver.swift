import RunnelStreams

/// An observer of events, as traces describe it.
@usableFromInline
final class TracedReceiver {
  @usableFromInline let dispatch: Dispatch
  /// The path of the bus, which the observer does not retain.
  private let path: String
  private let name: String?
  private let location: SourceLocation

  @usableFromInline
  init(to bus: EventBus, as name: String?, at location: SourceLocation) {
    dispatch = bus.dispatch
    path = bus.path
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
    dispatch.note(EventTrace.Receiver(name: name ?? "\(location)", bus: path))
  }
}
