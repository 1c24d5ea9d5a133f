import RunnelStreams

/// The observers of one event type on one bus.
@usableFromInline
final class Channel<Event> {
  /// The observers with one priority.
  @usableFromInline
  struct Lane {
    @usableFromInline let priority: EventPriority
    // Safety: retained by the channel, which never removes a lane.
    @usableFromInline let subject: Unmanaged<PushStream<Event>>

    init(priority: EventPriority) {
      self.priority = priority
      subject = .passRetained(PushStream())
    }
  }

  /// The lanes, from the highest priority to the lowest.
  @usableFromInline @exclusivity(unchecked) var lanes: [Lane] = []
  @usableFromInline @exclusivity(unchecked) private(set) var sticky: Event?
  /// The topic of a ``TopicEvent``. Such events are delivered by topic, and the channel is empty.
  @usableFromInline let binding: TopicBinding<Event>?

  init() {
    binding = TopicBinding()
  }

  deinit {
    for lane in lanes { lane.subject.release() }
  }

  /// Returns false if there are no observers.
  @inlinable
  func send(_ event: Event) -> Bool {
    var isReceived = false
    for lane in lanes {
      lane.subject._withUnsafeGuaranteedRef { subject in
        guard subject.isObserved else { return }
        isReceived = true
        subject.next(event)
      }
    }
    return isReceived
  }

  func replaceSticky(with event: Event?) {
    release(exchange(&sticky, with: event))
  }

  @usableFromInline
  func lane(of priority: EventPriority) -> PushStream<Event> {
    let index = lanes.firstIndex { $0.priority <= priority } ?? lanes.endIndex
    if index < lanes.endIndex, lanes[index].priority == priority {
      return lanes[index].subject.takeUnretainedValue()
    }
    let lane = Lane(priority: priority)
    lanes.insert(lane, at: index)
    return lane.subject.takeUnretainedValue()
  }
}
