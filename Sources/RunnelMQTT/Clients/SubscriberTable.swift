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

  /// True if a client that speaks MQTT 3.1.1 cannot serve it.
  var needsVersion5: Bool { subscriptions.contains { $0.needsVersion5 } }

  /// True if it asks the broker for the retained messages of a filter.
  func asksForRetained(_ filter: ExactText) -> Bool {
    subscriptions.contains { ExactText($0.filter) == filter && $0.retained != .none }
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
    /// The numbers of the filter in messages, with the subscribers for which the broker sends retained
    /// messages. The last one is the present one; messages with earlier ones may be on their way.
    var identifiers: [(number: UInt32, asking: [ObjectIdentifier])] = []
  }

  private var entries: [ExactText: Entry] = [:]
  /// The filters of all numbers, also of those that nobody needs any more.
  private var filters: [UInt32: ExactText] = [:]
  /// The numbers that nobody needs any more. Messages with them may be on their way.
  private var oldNumbers = Queue<UInt32>()
  private static let keptNumbers = 64

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
    entry.subscription.qos = max(old.qos, subscription.qos)
    entry.subscription.excludesOwn = old.excludesOwn && subscription.excludesOwn
    entry.subscription.keepsRetainedFlag = old.keepsRetainedFlag || subscription.keepsRetainedFlag
    // The broker sends retained messages again, for the new subscriber.
    entry.subscription.retained = subscription.retained
    entries[filter] = entry
    let isSame = entry.subscription.options & 0xF == old.options & 0xF
    return isSame && subscription.retained == .none ? nil : entry.subscription
  }

  /// Notes the number of a subscription that is made for a subscriber.
  mutating func note(_ number: UInt32, of filter: ExactText, for subscriber: Subscriber) {
    guard var entry = entries[filter] else { return }
    if entry.identifiers.last?.number != number {
      entry.identifiers.append((number, []))
      filters[number] = filter
    }
    if subscriber.asksForRetained(filter) {
      entry.identifiers[entry.identifiers.count - 1].asking.append(ObjectIdentifier(subscriber))
    }
    entries[filter] = entry
  }

  /// Begins a new connection. Subscriptions that the broker has not confirmed are made again, with their
  /// last numbers, for all subscribers.
  mutating func begin(isSessionPresent: Bool, isConfirmed: (ExactText) -> Bool) {
    for (filter, entry) in entries where !isConfirmed(filter) {
      guard let last = entry.identifiers.last else { continue }
      let earlier = entry.identifiers.dropLast()
      // The session may have messages with earlier numbers.
      let kept = earlier.suffix(isSessionPresent ? Self.keptNumbers : 0)
      for (number, _) in earlier.dropLast(kept.count) { retire(number) }
      let asking = entry.subscribers.filter { $0.asksForRetained(filter) }
      entries[filter]?.identifiers = kept + [(last.number, asking.map { ObjectIdentifier($0) })]
    }
  }

  /// Removes a subscriber. Returns the filters that have none left.
  mutating func remove(_ subscriber: Subscriber) -> [ExactText] {
    var unused: [ExactText] = []
    for filter in subscriber.filters {
      guard var entry = entries[filter] else { continue }
      entry.subscribers.removeAll { $0 === subscriber }
      for index in entry.identifiers.indices {
        entry.identifiers[index].asking.removeAll { $0 == ObjectIdentifier(subscriber) }
      }
      let present = entry.subscribers.isEmpty ? nil : entry.identifiers.last?.number
      for (number, asking) in entry.identifiers where asking.isEmpty && number != present {
        retire(number)
      }
      entry.identifiers.removeAll { $0.asking.isEmpty && $0.number != present }
      entries[filter] = entry.subscribers.isEmpty ? nil : entry
      if entry.subscribers.isEmpty { unused.append(filter) }
    }
    return unused
  }

  /// Nobody needs a number any more. The latest ones are kept, for messages on their way.
  private mutating func retire(_ number: UInt32) {
    oldNumbers.append(number)
    if oldNumbers.count > Self.keptNumbers, let oldest = oldNumbers.popFirst() {
      filters[oldest] = nil
    }
  }

  subscript(filter: ExactText) -> [Subscriber] { entries[filter]?.subscribers ?? [] }

  // MARK: - Messages

  /// Returns the subscribers that receive a message.
  ///
  /// A broker may send a copy for each filter that matches, or one copy that names all of them. A
  /// message whose numbers do not say for whom it is goes to all whose filters match its topic: a
  /// message that arrives twice is better than a lost one.
  func receivers(of incoming: Incoming) -> [Subscriber] {
    let message = incoming.message
    // Without numbers, or with numbers of an earlier run of the program, whose session the broker has kept.
    let isUnknown = incoming.subscriptionIDs.contains { filters[$0] == nil }
    if incoming.subscriptionIDs.isEmpty || isUnknown { return matching(message.topic) }
    var isForSubscription = false
    var seen: Set<ObjectIdentifier> = []
    var receivers: [Subscriber] = []
    for number in incoming.subscriptionIDs {
      guard let filter = filters[number], let entry = entries[filter] else { continue }
      isForSubscription = true
      let asking = entry.identifiers.first { $0.number == number }?.asking ?? []
      let isForAsking = message.isRetained && !entry.subscription.keepsRetainedFlag
      for subscriber in entry.subscribers {
        if isForAsking && !asking.contains(ObjectIdentifier(subscriber)) { continue }
        if !isSurplus(message, of: filter, for: subscriber),
          seen.insert(ObjectIdentifier(subscriber)).inserted
        {
          receivers.append(subscriber)
        }
      }
    }
    // All subscriptions have ended. Then a message that is confirmed must not be lost.
    if !isForSubscription && message.qos != .atMostOnce { return matching(message.topic) }
    return receivers
  }

  /// True if a subscriber takes the copy of another of its filters.
  private func isSurplus(
    _ message: MQTTMessage, of filter: ExactText, for subscriber: Subscriber
  ) -> Bool {
    if subscriber.filters.count == 1 { return false }
    var isEarlier = true
    for subscription in subscriber.subscriptions {
      let other = ExactText(subscription.filter)
      if other == filter {
        isEarlier = false
        continue
      }
      guard TopicRules.matches(message.topic, other.text) else { continue }
      if message.isRetained && subscription.retained != .all { continue }
      // Of two filters that get the same messages, the first one counts.
      if covers(other, filter) && (isEarlier || !covers(filter, other)) { return true }
    }
    return false
  }

  /// True if the broker surely sends a copy for one filter when it sends one for another, and at least as
  /// reliably.
  private func covers(_ one: ExactText, _ other: ExactText) -> Bool {
    guard let first = entries[one]?.subscription, let second = entries[other]?.subscription else {
      return false
    }
    if TopicRules.isShared(one.text) || first.qos < second.qos { return false }
    return !first.excludesOwn || second.excludesOwn
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
