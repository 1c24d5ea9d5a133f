import RunnelBus
import RunnelStreams

extension TestBrokerClient {
  /// A connection to the broker: messages that are on the way are lost with it.
  final class Connection {
    /// The latest time of arrival of each lane, in which messages stay in order, and the number of
    /// messages that have not arrived.
    private var lanes: [String: (time: Duration, count: Int)] = [:]
    /// The calls of the scheduler for messages on the way.
    private var timers: [Int: Disposable] = [:]
    private var lastTimer = 0
    /// The calls that messages and requests wait for.
    private var unfinished: [Int: (Result<Void, TransportError>) -> Void] = [:]
    private var lastNumber = 0
    private var isEnded = false
    private unowned let broker: TestBroker

    // Safety: a client owns its connection, and retains the broker.
    init(_ broker: TestBroker) {
      self.broker = broker
    }

    /// Adds a call that is made by ``finish(_:_:)``, or with an error when the connection ends.
    func begin(_ finished: @escaping (Result<Void, TransportError>) -> Void) -> Int {
      lastNumber += 1
      unfinished[lastNumber] = finished
      return lastNumber
    }

    func finish(_ number: Int, _ result: Result<Void, TransportError>) {
      unfinished.removeValue(forKey: number)?(result)
    }

    /// Removes a call. Returns false if it was made.
    @discardableResult
    func forget(_ number: Int) -> Bool {
      guard let finished = unfinished.removeValue(forKey: number) else { return false }
      release(finished)
      return true
    }

    /// Runs an action when a message in a lane arrives at the other end.
    func after(_ lane: String, _ action: @escaping () -> Void) {
      if isEnded { return }
      let scheduler = broker.scheduler
      let (latest, count) = lanes[lane] ?? (.zero, 0)
      let time = max(latest, scheduler.now + broker.nextDelay())
      if time <= scheduler.now && count == 0 { return action() }
      lanes[lane] = (time, count + 1)
      lastTimer += 1
      let number = lastTimer
      timers[number] = scheduler.schedule(at: time) { [self] in
        timers[number] = nil
        arrive(in: lane)
        action()
      }
    }

    private func arrive(in lane: String) {
      lanes[lane]?.count -= 1
      // Without messages on the way, a lane in which the last one has arrived is like a new one.
      if lanes[lane]?.count == 0 { lanes[lane] = nil }
    }

    /// Loses all messages on the way.
    func end() {
      isEnded = true
      for timer in exchange(&timers, with: [:]).values { timer.dispose() }
    }

    /// Finishes everything with an error, in the order in which it began.
    func failAll(_ error: TransportError) {
      for (_, finished) in exchange(&unfinished, with: [:]).sorted(by: { $0.key < $1.key }) {
        finished(.failure(error))
      }
    }
  }
}
