import RunnelStreams

/// An observer of messages.
final class Subscriber {
  let subscriptions: [MQTTSubscription]
  let filters: [ExactText]
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

/// The observers of messages, by their filters.
struct SubscriberTable {
  private struct Entry {
    var subscribers: [Subscriber] = []
    /// The subscription at the broker, which serves all subscribers.
    var subscription: MQTTSubscription
    /// The numbers of the filter in messages, with the subscribers that asked for it. The last one is
    /// the present one; messages with earlier ones may be on their way.
    var identifiers: [(number: UInt32, asking: [ObjectIdentifier])] = []
  }

  private var entries: [ExactText: Entry] = [:]
  private var filters: [UInt32: ExactText] = [:]
  /// The range of the numbers so far.
  private var numbers: ClosedRange<UInt32>?
  private static let keptIdentifiers = 4

  /// All subscribers, each once.
  var all: [Subscriber] {
    var seen: Set<ObjectIdentifier> = []
    return entries.values.flatMap(\.subscribers).filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  // MARK: - Changes

  /// Adds a subscriber to a filter. Returns the subscription that the broker must have, if it has to be
  /// made or changed.
  mutating func add(
    _ subscriber: Subscriber, _ subscription: MQTTSubscription
  ) -> MQTTSubscription? {
    let filter = ExactText(subscription.filter)
    guard var entry = entries[filter] else {
      entries[filter] = Entry(subscribers: [subscriber], subscription: subscription)
      return subscription
    }
    let old = entry.subscription
    entry.subscribers.append(subscriber)
    entry.subscription.quality = max(old.quality, subscription.quality)
    entry.subscription.excludesOwn = old.excludesOwn && subscription.excludesOwn
    entry.subscription.keepsRetainedFlag = old.keepsRetainedFlag || subscription.keepsRetainedFlag
    // The broker sends retained messages again, for the new subscriber.
    entry.subscription.retained = subscription.retained == .all ? .all : .none
    entries[filter] = entry
    let isSame = entry.subscription.options & 0xF == old.options & 0xF
    return isSame && subscription.retained != .all ? nil : entry.subscription
  }

  /// Notes the number of a subscription that is made for a subscriber.
  mutating func note(_ number: UInt32, of filter: ExactText, for subscriber: Subscriber) {
    guard var entry = entries[filter] else { return }
    if entry.identifiers.last?.number == number {
      entry.identifiers[entry.identifiers.count - 1].asking.append(ObjectIdentifier(subscriber))
      entries[filter] = entry
      return
    }
    numbers = min(numbers?.lowerBound ?? number, number)...number
    entry.identifiers.append((number, [ObjectIdentifier(subscriber)]))
    filters[number] = filter
    if entry.identifiers.count > Self.keptIdentifiers {
      filters[entry.identifiers.removeFirst().number] = nil
    }
    entries[filter] = entry
  }

  /// Begins a new connection. Subscriptions that the broker has not confirmed are made again, with their
  /// last numbers, for all subscribers.
  mutating func begin(isConfirmed: (ExactText) -> Bool) {
    for (filter, entry) in entries where !isConfirmed(filter) {
      guard let last = entry.identifiers.last else { continue }
      for (number, _) in entry.identifiers.dropLast() { filters[number] = nil }
      let asking = entry.subscribers.map { ObjectIdentifier($0) }
      entries[filter]?.identifiers = [(last.number, asking)]
    }
  }

  /// Removes a subscriber. Returns the filters that have none left.
  mutating func remove(_ subscriber: Subscriber) -> [ExactText] {
    var unused: [ExactText] = []
    for filter in subscriber.filters {
      guard entries[filter] != nil else { continue }
      entries[filter]?.subscribers.removeAll { $0 === subscriber }
      guard let entry = entries[filter], entry.subscribers.isEmpty else { continue }
      for (number, _) in entry.identifiers { filters[number] = nil }
      entries[filter] = nil
      unused.append(filter)
    }
    return unused
  }

  subscript(filter: ExactText) -> [Subscriber] { entries[filter]?.subscribers ?? [] }

  // MARK: - Messages

  /// Returns the subscribers that receive a message.
  ///
  /// A broker may send a copy for each filter that matches, or one copy that names all of them. A
  /// subscriber with several filters takes the copy of its first filter that matches.
  func receivers(of incoming: Incoming) -> [Subscriber] {
    let topic = incoming.message.topic
    if incoming.subscriptionIDs.isEmpty { return matching(topic) }
    var named: [(ExactText, UInt32)] = []
    for number in incoming.subscriptionIDs {
      if let filter = filters[number] {
        named.append((filter, number))
      } else if numbers?.contains(number) != true {
        // The broker has kept the session of an earlier run of the program.
        return matching(topic)
      }
    }
    var receivers: [Subscriber] = []
    for (filter, number) in named {
      guard let entry = entries[filter] else { continue }
      let asking = entry.identifiers.first { $0.number == number }?.asking ?? []
      let isForAsking = incoming.message.isRetained && !entry.subscription.keepsRetainedFlag
      for subscriber in entry.subscribers {
        if isForAsking && !asking.contains(ObjectIdentifier(subscriber)) { continue }
        let first =
          subscriber.filters.count == 1
          ? filter : subscriber.filters.first { TopicRules.matches(topic, $0.text) }
        if first == filter { receivers.append(subscriber) }
      }
    }
    return receivers
  }

  /// Returns the subscribers with a filter that matches, each once.
  private func matching(_ topic: String) -> [Subscriber] {
    var seen: Set<ObjectIdentifier> = []
    var receivers: [Subscriber] = []
    for (filter, entry) in entries where TopicRules.matches(topic, filter.text) {
      for subscriber in entry.subscribers where seen.insert(ObjectIdentifier(subscriber)).inserted {
        receivers.append(subscriber)
      }
    }
    return receivers
  }
}
