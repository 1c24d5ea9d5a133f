import RunnelBus
import RunnelStreams

extension TestBrokerClient {
  /// A subscription, which the broker remembers for the client.
  final class Subscription {
    enum Phase {
      /// The broker does not know it.
      case new
      /// The broker keeps acknowledged messages for it, and has not confirmed it on the present
      /// connection.
      case remembered
      /// The broker has confirmed it on the present connection.
      case confirmed
      /// It was disposed.
      case ended
    }

    /// An acknowledged message.
    struct Delivery {
      let number: Int
      let sender: String
      let message: TransportMessage
    }

    let patterns: [TransportPattern]
    let receiver: TransportReceiver
    var phase = Phase.new
    /// The acknowledged messages that the client has not confirmed, in order.
    private var unconfirmed: [Delivery] = []
    private var lastNumber = 0
    /// The messages that have arrived, and wait for the receiver.
    private var arrived = Queue<(message: TransportMessage, confirm: () -> Void)>()
    private var isDelivering = false

    init(_ patterns: [TransportPattern], _ receiver: TransportReceiver) {
      self.patterns = patterns
      self.receiver = receiver
    }

    /// The first pattern that matches a topic.
    func pattern(for topic: String) -> TransportPattern? {
      patterns.first { PatternLevels($0.pattern).matches(topic) }
    }

    /// Forgets what has arrived on a connection.
    func loseConnection() {
      if phase == .confirmed { phase = .remembered }
      arrived = Queue()
    }

    func end() {
      phase = .ended
      arrived = Queue()
      unconfirmed = []
    }

    // MARK: - Acknowledged messages

    /// Keeps a message until ``confirm(_:)`` with the number of the delivery.
    func keep(_ message: TransportMessage, from sender: String) -> Delivery {
      lastNumber += 1
      let delivery = Delivery(number: lastNumber, sender: sender, message: message)
      unconfirmed.append(delivery)
      return delivery
    }

    func confirm(_ number: Int) {
      unconfirmed.removeAll { $0.number == number }
    }

    /// The messages that are delivered again on a new connection.
    func takeUnconfirmed() -> [Delivery] { exchange(&unconfirmed, with: []) }

    // MARK: - Delivery

    /// Delivers a message after those that have arrived before it, while the receiver is not paused.
    func receive(_ message: TransportMessage, confirm: @escaping () -> Void) {
      if phase == .ended { return }
      arrived.append((message, confirm))
      deliverArrived()
    }

    func deliverArrived() {
      if isDelivering { return }
      isDelivering = true
      while !receiver.isPaused.value, let (message, confirm) = arrived.popFirst() {
        receiver.receive(message)
        confirm()
      }
      isDelivering = false
    }
  }
}
