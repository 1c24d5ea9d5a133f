import RunnelStreams

/// The programs of a group that are online: each has a retained message, which its last will removes.
final class PeerPresence {
  private let topic: String
  private let group: String
  private let name: String
  private let others = Property<[String]>([])
  private var subscription = Disposable.none
  private var isAnnounced = false

  init(group: String, name: String) {
    self.group = "runnel//peers/\(TopicMapping.topic(group))/"
    self.name = name
    topic = "\(self.group)\(name)"
  }

  /// The names of the others, sorted.
  var peers: ReadOnlyProperty<[String]> { others.readOnly }

  /// The last will of this program.
  var will: MQTTWill { MQTTWill(MQTTMessage(topic, qos: .atLeastOnce, isRetained: true)) }

  func begin(at client: MQTTClient) {
    subscription = client.subscribe(to: MQTTSubscription("\(group)+", qos: .atLeastOnce)).observe(
      next: { [weak self, weak client] message in
        if let self, let client { receive(message, by: client) }
      },
      failed: { [name = client.name] error in
        Log("runnel.mqtt").warning(
          "The peers are not known.", ["broker": name, "error": "\(error)"])
      })
  }

  private func receive(_ message: MQTTMessage, by client: MQTTClient) {
    let peer = String(Substring(message.topic.utf8.dropFirst(group.utf8.count)))
    if peer.utf8.elementsEqual(name.utf8) {
      // The last will of an earlier connection may arrive late.
      if message.payload.isEmpty && isAnnounced { announce(by: client) }
      return
    }
    var names = Set(others.value)
    if message.payload.isEmpty { names.remove(peer) } else { names.insert(peer) }
    if names.count != others.value.count { others.value = names.sorted() }
  }

  /// Tells the others that this program is online.
  func announce(by client: MQTTClient) {
    isAnnounced = true
    do throws(MQTTError) {
      try client.send(MQTTMessage(topic, text: "online", qos: .atLeastOnce, isRetained: true))
    } catch {
      Log("runnel.mqtt").warning(
        "The program is not announced.", ["broker": client.name, "error": "\(error)"])
    }
  }

  /// The connection is lost. At the next one the broker sends all peers again, also if it remembers the subscription.
  func lose(at client: MQTTClient) {
    forget()
    let old = subscription
    begin(at: client)
    old.dispose()
  }

  func end() {
    subscription.dispose()
    forget()
  }

  private func forget() {
    isAnnounced = false
    if !others.value.isEmpty { others.value = [] }
  }
}
