import RunnelStreams

/// The side of a link that a transport calls: the place where the messages of a subscription arrive.
public final class TransportReceiver {
  private let isHeld = Property(false)
  private var pauses = 0
  private var handler: ((Arrival) -> Void)?

  /// A call of the transport.
  enum Arrival {
    case confirmed
    case message(TransportMessage)
    case failed(TransportError)
  }

  /// Creates a receiver for tests of a transport. A link makes its own.
  public convenience init(
    confirmed: @escaping () -> Void = {}, failed: @escaping (TransportError) -> Void = { _ in },
    message: @escaping (TransportMessage) -> Void
  ) {
    self.init { arrival in
      switch arrival {
      case .confirmed: confirmed()
      case .message(let received): message(received)
      case .failed(let error): failed(error)
      }
    }
  }

  init(_ handler: @escaping (Arrival) -> Void) {
    self.handler = handler
  }

  /// True while a consumer of the messages is behind.
  ///
  /// The transport delivers no more then, and lets the peer wait: it does not confirm messages, or
  /// does not read them. It continues to send, and to read the confirmations of what it sends.
  /// Messages that arrive nevertheless are delivered.
  public var isPaused: ReadOnlyProperty<Bool> { isHeld.readOnly }

  /// Tells the link that the peer has confirmed all patterns of the subscription.
  public func confirmed() { handler?(.confirmed) }

  /// Delivers a message. When this returns, the observers on the bus have handled it, or it waits for the
  /// end of the present delivery of the bus. The transport may confirm it to the peer then.
  public func receive(_ message: TransportMessage) {
    guard let handler else { return }
    Delivery.from(self) { handler(.message(message)) }
  }

  /// Tells the link that the peer refuses the subscription. The link goes offline and the transport
  /// does not try again.
  public func failed(_ error: TransportError) { handler?(.failed(error)) }

  /// Ignores later calls.
  func close() {
    release(exchange(&handler, with: nil))
  }
}

extension TransportReceiver: PausableSource {
  @usableFromInline
  package func pause() {
    pauses += 1
    if pauses == 1 { isHeld.value = true }
  }

  @usableFromInline
  package func resume() {
    pauses -= 1
    if pauses == 0 { isHeld.value = false }
  }
}
