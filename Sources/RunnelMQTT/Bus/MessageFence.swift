import RunnelStreams

/// A message of a client to itself, which returns when the broker has sent all that it had to send before.
///
/// A broker sends the retained messages of a subscription after it has confirmed it, and does not mark
/// their end. A fence marks it. If the broker does not let it pass, it opens without.
final class MessageFence {
  /// The longest time for which a fence waits, for brokers that drop it silently. While consumers are behind, it
  /// waits for them.
  private static let limit = Duration.seconds(10)

  private let topic: String
  private let scheduler: any Scheduler
  private var subscription = Disposable.none
  private var waiting: [UInt64: (passed: () -> Void, timer: Disposable)] = [:]
  private var lastNumber: UInt64 = 0
  private weak var client: MQTTClient?
  /// False if the broker does not let fences pass on this connection.
  private(set) var isReliable = true
  private var isRefused = false

  init(topic: String, _ scheduler: any Scheduler) {
    self.topic = topic
    self.scheduler = scheduler
  }

  func begin(at client: MQTTClient) {
    self.client = client
    isReliable = true
    isRefused = false
    subscription = client.subscribe(to: MQTTSubscription(topic, qos: .atLeastOnce)).observe(
      next: { [weak self] message in
        if let number = UInt64(message.text) { self?.open(number, isReliable: true) }
      },
      failed: { [weak self] _ in
        self?.isReliable = false
        self?.isRefused = true
      })
  }

  /// Calls a closure when the messages have arrived that the broker has to send now, unless the connection is
  /// lost before.
  func pass(_ passed: @escaping () -> Void) {
    guard isReliable, let client else { return passed() }
    lastNumber += 1
    let number = lastNumber
    waiting[number] = (passed, timer(of: number))
    do throws(MQTTError) {
      _ = try client.core.publish(MQTTMessage(topic, text: "\(number)", qos: .atLeastOnce)) {
        [weak self] result in
        if (try? result.get()) != .confirmed { self?.open(number, isReliable: false) }
      }
    } catch {
      open(number, isReliable: false)
    }
  }

  private func timer(of number: UInt64) -> Disposable {
    scheduler.schedule(after: Self.limit) { [weak self] in
      guard let self else { return }
      // The fence may be among the messages that wait for a consumer.
      if client?.core.isPaused == true {
        waiting[number]?.timer = timer(of: number)
      } else {
        open(number, isReliable: false)
      }
    }
  }

  private func open(_ number: UInt64, isReliable: Bool) {
    guard let (passed, timer) = waiting.removeValue(forKey: number) else { return }
    self.isReliable = isReliable
    timer.dispose()
    passed()
  }

  /// The connection is lost. The next one may be to a broker that lets fences pass.
  func lose() {
    forget()
    isReliable = true
    if isRefused, let client { begin(at: client) }
  }

  private func forget() {
    for (_, timer) in exchange(&waiting, with: [:]).values { timer.dispose() }
  }

  func end() {
    forget()
    client = nil
    subscription.dispose()
  }
}
