import RunnelStreams

/// Requests that cross by a link, and the programs at its other end.
extension BusLink {
  /// True if requests on a topic may cross by this link.
  func asks(on topic: String) -> Bool { isOpen && exports.matchesRequest(topic) }

  var isOnline: Bool { transport.state.value == .online }

  /// Asks a request in other programs.
  func ask(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure> {
    guard isOpen, let transport = transport as? any AskingTransport else {
      return .failed(.failed(TransportError.closed))
    }
    return transport.ask(payload, on: prefix + topic)
  }

  /// Answers those requests of other programs that the bus or a parent answers.
  func serveRequests() {
    guard isOpen, let bus, let transport = transport as? any AskingTransport else { return }
    let topics = Set(bus.selfAndParents.flatMap { $0.remoteAnswers.keys })
      .filter { imports.matchesRequest($0) }
    for topic in answering.keys where !topics.contains(topic) {
      answering.removeValue(forKey: topic)?.dispose()
    }
    // The end of an answer may have disposed the link.
    for topic in topics where isOpen && answering[topic] == nil {
      answering[topic] = transport.answer(on: prefix + topic) { [weak bus] payload in
        bus?.answer(payload, on: topic) ?? .failed(.nobodyAnswers)
      }
    }
  }

  /// The names of the other programs that are online, if the transport knows them. Otherwise this
  /// throws. Where the type of the transport is known, use ``PresenceTransport/peers``.
  public func peers() throws(JoinError) -> ReadOnlyProperty<[String]> {
    guard let transport = transport as? any PresenceTransport else {
      throw .lacks(.presence, transport: name)
    }
    return transport.peers
  }
}
