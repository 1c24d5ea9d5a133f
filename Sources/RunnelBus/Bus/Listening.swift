import RunnelStreams

/// Who observes events, for traces.
@usableFromInline
final class Listening {
  @usableFromInline let dispatch: Dispatch
  // Safety: it is asked for while an event is told, which only happens as long as the bus is there.
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

  /// Puts itself on the list of those who have got the event.
  @inlinable
  func noteIfTraced() {
    if dispatch.isTraced { note() }
  }

  @usableFromInline
  func note() {
    dispatch.note(EventTrace.Receiver(name: name ?? "\(location)", bus: bus.path))
  }
}
