/// The way of a message to its observers.
extension SubscriptionTable {
  /// Returns the observers that receive a message, in their order.
  ///
  /// A broker may send a copy for each filter that matches, or one copy that names all of them. A
  /// message whose identifiers do not say for whom it is goes to all whose filters match its topic: a
  /// message that arrives twice is better than a lost one.
  func receivers(of incoming: Incoming) -> [Subscriber] {
    let message = incoming.message
    // Without identifiers, or with those of an earlier run of the program, whose session the broker has kept.
    let isUnknown = incoming.subscriptionIDs.contains { filter(of: $0) == nil }
    if incoming.subscriptionIDs.isEmpty || isUnknown { return matching(message.topic) }
    var isForSubscription = false
    var seen: Set<ObjectIdentifier> = []
    var receivers: [Subscriber] = []
    for identifier in incoming.subscriptionIDs {
      guard let filter = filter(of: identifier), let entry = entries[filter],
        !entry.subscribers.isEmpty
      else { continue }
      isForSubscription = true
      let asking = entry.asking(with: identifier)
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
    return receivers.count > 1 ? receivers.inOrder : receivers
  }

  /// True if an observer takes the copy of another of its filters.
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

  /// Returns the observers with a filter that matches, each once.
  private func matching(_ topic: String) -> [Subscriber] {
    var seen: Set<ObjectIdentifier> = []
    var receivers: [Subscriber] = []
    for (filter, entry) in entries where TopicRules.matches(topic, filter.text) {
      for subscriber in entry.subscribers where seen.insert(ObjectIdentifier(subscriber)).inserted {
        receivers.append(subscriber)
      }
    }
    return receivers.inOrder
  }
}
