import RunnelBus
import RunnelStreams

/// The subscription of a link to patterns.
final class EventSubscription {
  let receiver: TransportReceiver
  private let patterns: [EventPattern]
  /// The handlers of the signals, one for each pattern.
  private var handlers: [Disposable] = []
  private var resuming = Disposable.none
  /// The question whose answer says that the bus knows the patterns.
  var confirming = Disposable.none
  private var waiting = Queue<TransportMessage>()
  /// The size of the messages that wait for the receiver.
  private(set) var waitingBytes = 0
  private var isDelivering = false

  init(_ patterns: [String], _ receiver: TransportReceiver) {
    self.patterns = patterns.map(EventPattern.init)
    self.receiver = receiver
  }

  /// Calls the action with each message of a bus that matches, once.
  func start(on bus: BusConnection, _ action: @escaping (TransportMessage) -> Void) {
    for (index, pattern) in patterns.enumerated() {
      let handling = bus.handle(
        pattern.filter,
        { [weak self] signal in
          if let message = self?.message(of: signal, forPattern: index) { action(message) }
        },
        refused: { [receiver] error in
          receiver.failed(.refusedTopic(pattern.text, reason: "\(error)"))
        })
      handlers.append(handling)
    }
    resuming = receiver.isPaused.observeNext { [weak self] isPaused in
      if !isPaused { self?.deliverWaiting() }
    }
  }

  func end() {
    for part in handlers + [resuming, confirming] { part.dispose() }
    forget()
  }

  /// The message of a signal, if the pattern is the first one that matches: a signal has a handler for
  /// each pattern.
  private func message(of signal: BusSignal, forPattern index: Int) -> TransportMessage? {
    let types = [String.busType, [UInt8].busType, String.busType]
    // Signals with other types are ignored.
    let message: TransportMessage?? = try? signal.body.read(types) { reader throws(BusError) in
      let topic = try String(from: reader)
      guard patterns.firstIndex(where: { $0.matches(topic) }) == index else { return nil }
      let payload = try [UInt8](from: reader)
      let stamp = EventStamp(try String(from: reader))
      return TransportMessage(topic: topic, payload: payload, stamp: stamp)
    }
    return message ?? nil
  }

  // MARK: - Delivery

  /// Delivers a message after those that have arrived before it, while the receiver is not paused.
  func receive(_ message: TransportMessage) {
    waiting.append(message)
    waitingBytes += message.size
    deliverWaiting()
  }

  private func deliverWaiting() {
    if isDelivering { return }
    isDelivering = true
    while !receiver.isPaused.value, let message = waiting.popFirst() {
      waitingBytes -= message.size
      receiver.receive(message)
    }
    isDelivering = false
  }

  /// Forgets the messages that wait.
  func forget() {
    waiting = Queue()
    waitingBytes = 0
  }
}

extension TransportMessage {
  /// The number of bytes that the message occupies, about.
  fileprivate var size: Int { 128 + topic.utf8.count + payload.count }
}
