import RunnelStreams

/// Arranges that the latest sticky event or removal of a bus is sent again after an earlier one has
/// arrived, because the peer retains that one now.
///
/// All buses that know the later one notice this. Those that have sent it to the peer send it again,
/// after a pause in which more earlier ones may arrive. The others wait longer, each for another
/// time, and send nothing if it arrives meanwhile.
final class StickyRestorer {
  private let scheduler: any Scheduler
  /// Sends the latest sticky event or removal of a topic.
  private let send: (String) -> Void
  /// The calls of the scheduler, by topic.
  private var calls: [String: Disposable] = [:]

  init(_ scheduler: any Scheduler, send: @escaping (String) -> Void) {
    self.scheduler = scheduler
    self.send = send
  }

  /// Compares an arrived sticky event or removal with the latest one of the bus. `isFromPeer` is true if
  /// the bus has the latest one from the same peer. Then it waits, with a number below 1,000 as `spread`.
  func compare(
    _ arrived: EventStamp, with latest: EventStamp, on topic: String, isFromPeer: Bool,
    spread: Int
  ) {
    guard latest.isLater(than: arrived) else {
      if isFromPeer { calls.removeValue(forKey: topic)?.dispose() }
      return
    }
    if calls[topic] != nil { return }
    let pause = isFromPeer ? 200 + spread : 100
    calls[topic] = scheduler.schedule(after: .milliseconds(pause)) { [weak self] in
      guard let self else { return }
      release(calls.removeValue(forKey: topic))
      send(topic)
    }
  }

  func dispose() {
    for call in exchange(&calls, with: [:]).values { call.dispose() }
  }
}
