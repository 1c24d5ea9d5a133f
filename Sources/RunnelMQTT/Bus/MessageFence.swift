import RunnelStreams

/// A message of a client to itself, which returns when the broker has sent all that it had to send before.
///
/// A broker sends the retained messages of a subscription after it has confirmed it, and does not mark
/// their end. A fence marks it. If the broker does not let it pass, it opens without.
final class MessageFence {
  /// The longest time for which a fence waits, for brokers that drop it silently.
  private static let limit = Duration.seconds(10)

  private let topic: String
  private let scheduler: any Scheduler
  private var subscription = Disposable.none
  private var waiting: [UInt64: (passed: () -> Void, timer: Disposable)] = [:]
  private var lastNumber: UInt64 = 0
  private weak var client: MQTTClient?
  /// False if the broker does not let fences pass.
  private(set) var isReliable = true

  init(topic: String, _ scheduler: any Scheduler) {
    self.topic = topic
    self.scheduler = scheduler
  }

  func begin(at client: MQTTClient) {
    self.client = client
    isReliable = true
    subscription = client.subscribe(to: MQTTSubscription(topic, qos: .atLeastOnce)).observe(
      next: { [weak self] message in
        if let number = UInt64(message.text) { self?.open(number, isReliable: true) }
      }, failed: { [weak self] _ in self?.isReliable = false })
  }

  /// Calls a closure when the messages have arrived that the broker has to send now, unless the connection is
  /// lost before.
  func pass(_ passed: @escaping () -> Void) {
    guard isReliable, let client else { return passed() }
    lastNumber += 1
    let number = lastNumber
    let timer = scheduler.schedule(after: Self.limit) { [weak self] in
      self?.open(number, isReliable: false)
    }
    waiting[number] = (passed, timer)
    do throws(MQTTError) {
      _ = try client.core.publish(MQTTMessage(topic, text: "\(number)", qos: .atLeastOnce)) {
        [weak self] result in
        if (try? result.get()) != .confirmed { self?.open(number, isReliable: false) }
      }
    } catch {
      open(number, isReliable: false)
    }
  }

  private func open(_ number: UInt64, isReliable: Bool) {
    guard let (passed, timer) = waiting.removeValue(forKey: number) else { return }
    self.isReliable = isReliable
    timer.dispose()
    passed()
  }

  /// The connection is lost.
  func lose() {
    for (_, timer) in exchange(&waiting, with: [:]).values { timer.dispose() }
  }

  func end() {
    lose()
    client = nil
    subscription.dispose()
  }
}
