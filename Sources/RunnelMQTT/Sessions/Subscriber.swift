import RunnelStreams

/// An observer of messages.
final class Subscriber {
  let subscriptions: [MQTTSubscription]
  let filters: [ExactText]
  /// The place in the order of all observers of the client. The table sets it.
  var serial: UInt64 = 0
  private(set) var isActive = true
  private let receive: (MQTTMessage) -> Void
  private let confirm: () -> Void
  private let fail: (MQTTError) -> Void
  private let complete: () -> Void
  /// The filters that the broker has not confirmed on this connection.
  private var unconfirmed: Set<ExactText> = []

  init(
    _ subscriptions: [MQTTSubscription], receive: @escaping (MQTTMessage) -> Void,
    confirm: @escaping () -> Void, fail: @escaping (MQTTError) -> Void,
    complete: @escaping () -> Void
  ) {
    var seen: Set<ExactText> = []
    self.subscriptions = subscriptions.filter { seen.insert(ExactText($0.filter)).inserted }
    filters = self.subscriptions.map { ExactText($0.filter) }
    self.receive = receive
    self.confirm = confirm
    self.fail = fail
    self.complete = complete
  }

  /// True if a client that speaks MQTT 3.1.1 cannot serve it.
  var needsVersion5: Bool { subscriptions.contains { $0.needsVersion5 } }

  /// The retained messages of a filter that it asks the broker for.
  func retained(_ filter: ExactText) -> MQTTSubscription.Retained {
    subscriptions.first { ExactText($0.filter) == filter }?.retained ?? .none
  }

  /// A new connection begins. The given filters must be confirmed on it.
  func begin(unconfirmed: [ExactText]) {
    self.unconfirmed = Set(unconfirmed)
    if unconfirmed.isEmpty && isActive { confirm() }
  }

  /// Waits for the confirmation of all filters.
  func await(_ filters: [ExactText]) { unconfirmed = Set(filters) }

  func confirmed(_ filter: ExactText) {
    if unconfirmed.remove(filter) != nil && unconfirmed.isEmpty && isActive { confirm() }
  }

  func deliver(_ message: MQTTMessage) {
    if isActive { receive(message) }
  }

  /// Returns false if it has ended already.
  func end() -> Bool { exchange(&isActive, with: false) }

  func failed(_ error: MQTTError) { if end() { fail(error) } }

  func completed() { if end() { complete() } }
}

extension [Subscriber] {
  /// The observers in the order in which they have begun.
  var inOrder: [Subscriber] { sorted { $0.serial < $1.serial } }
}
