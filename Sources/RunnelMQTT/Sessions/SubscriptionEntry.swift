/// The subscription to one filter, which serves all observers of the filter.
struct SubscriptionEntry {
  /// The last change to the broker.
  enum Progress {
    /// A packet has to be written.
    case changed(Presence)
    /// The packet was written.
    case requested(Presence)
    /// The broker has confirmed it.
    case confirmed

    var presence: Presence {
      switch self {
      case .changed(let presence), .requested(let presence): presence
      case .confirmed: .granted
      }
    }
  }

  /// The subscription in the session at the broker.
  enum Presence {
    case absent
    /// It was asked for.
    case possible
    /// The broker has granted it, perhaps with an answer that was lost.
    case granted
  }

  /// The observers. Without any, the subscription ends.
  private(set) var subscribers: [Subscriber]
  /// The observers for which the next packet asks for retained messages.
  private var asking: [Subscriber] = []
  /// The strongest options that an observer has asked for, without retained messages.
  private(set) var subscription: MQTTSubscription
  /// The subscription identifiers in messages, with the observers for which the broker sends retained
  /// messages. The last one is the present one; messages with earlier ones may be on their way.
  private(set) var identifiers: [(value: UInt32, asking: Set<ObjectIdentifier>)] = []
  var progress = Progress.changed(.absent)
  /// The place in the order of subscriptions.
  let order: UInt64

  init(_ subscription: MQTTSubscription, of subscriber: Subscriber, order: UInt64) {
    self.subscription = subscription
    self.subscription.retained = .none
    subscribers = [subscriber]
    self.order = order
    if subscription.retained != .none { asking = [subscriber] }
  }

  // MARK: - Observers

  /// Adds an observer. Returns false if a packet must be written for it.
  mutating func add(_ subscriber: Subscriber, _ other: MQTTSubscription) -> Bool {
    let isFirst = subscribers.isEmpty
    let old = subscription
    subscribers.append(subscriber)
    if isFirst {
      subscription = other
    } else {
      subscription.qos = max(old.qos, other.qos)
      subscription.excludesOwn = old.excludesOwn && other.excludesOwn
      subscription.keepsRetainedFlag = old.keepsRetainedFlag || other.keepsRetainedFlag
    }
    subscription.retained = .none
    if other.retained != .none { asking.append(subscriber) }
    return !isFirst && other.retained == .none && subscription == old
  }

  /// Removes an observer. Returns the subscription identifiers that nobody needs any more.
  mutating func remove(_ subscriber: Subscriber) -> [UInt32] {
    subscribers.removeAll { $0 === subscriber }
    asking.removeAll { $0 === subscriber }
    for index in identifiers.indices {
      identifiers[index].asking.remove(ObjectIdentifier(subscriber))
    }
    let present = subscribers.isEmpty ? nil : identifiers.last?.value
    let unused = identifiers.filter { $0.asking.isEmpty && $0.value != present }
    identifiers.removeAll { $0.asking.isEmpty && $0.value != present }
    return unused.map(\.value)
  }

  /// The observers for which the broker sends retained messages with a subscription identifier.
  func asking(with identifier: UInt32) -> Set<ObjectIdentifier> {
    identifiers.first { $0.value == identifier }?.asking ?? []
  }

  // MARK: - Requests

  /// Returns the subscription of a packet that is written now.
  mutating func request(_ identifier: UInt32) -> MQTTSubscription {
    progress = .requested(progress.presence == .absent ? .possible : progress.presence)
    identifiers.append((identifier, Set(asking.map { ObjectIdentifier($0) })))
    var packet = subscription
    let filter = ExactText(subscription.filter)
    let wanted = asking.map { $0.retained(filter) }
    packet.retained = wanted.contains(.all) ? .all : wanted.contains(.ifNew) ? .ifNew : .none
    asking = []
    return packet
  }

  /// True if the last packet was written with an identifier, and was not answered.
  func isRequested(with identifier: UInt32) -> Bool {
    guard case .requested = progress else { return false }
    return identifiers.last?.value == identifier && !subscribers.isEmpty
  }

  /// The broker has granted what was asked for with an identifier. Returns true if that was the last
  /// change.
  mutating func grant(_ identifier: UInt32) -> Bool {
    let isLast = isRequested(with: identifier)
    switch progress {
    case .changed: progress = .changed(.granted)
    case .requested: progress = isLast ? .confirmed : .requested(.granted)
    case .confirmed: break
    }
    return isLast
  }

  /// The broker has refused the last change.
  mutating func wasRefused() {
    if case .requested(.possible) = progress { progress = .requested(.absent) }
  }

  // MARK: - Connections

  /// The connection was lost before the broker answered a packet, which is written again.
  mutating func loseAnswer(to identifier: UInt32?) {
    progress = .changed(identifier == nil ? progress.presence : .granted)
    guard let identifier else { return }
    // The broker may have sent no retained messages.
    let again = asking(with: identifier).union(asking.map { ObjectIdentifier($0) })
    asking = subscribers.filter { again.contains(ObjectIdentifier($0)) }
  }

  /// Keeps the latest subscription identifiers. Returns the others.
  mutating func keepIdentifiers(_ count: Int) -> [UInt32] {
    let old = identifiers.dropLast(count).map(\.value)
    identifiers.removeFirst(old.count)
    return old
  }

  /// The broker has no session, so everything is asked for again.
  mutating func beginSession() {
    progress = .changed(.absent)
    let filter = ExactText(subscription.filter)
    asking = subscribers.filter { $0.retained(filter) != .none }
  }
}
