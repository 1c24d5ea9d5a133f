import RunnelStreams

/// The clients whose calls wait for their credentials or for their answers.
///
/// An entry lives until the client has left the bus or the connection has ended.
final class ClientTable {
  final class Client {
    /// The knowledge of the user and the process of the client.
    enum Credentials {
      case unknown
      /// The bus was asked. The calls wait in order.
      case asked([(BusCaller?) -> Void])
      case known(BusCaller)
    }

    fileprivate(set) var credentials = Credentials.unknown
    fileprivate var answers: [ObjectIdentifier: Disposable] = [:]
    /// True when the client has left, or the connection has ended.
    fileprivate(set) var hasLeft = false

    var answerCount: Int { answers.count }

    /// Keeps an answer that is on its way, until it is removed or the client has left.
    func keep(_ answer: Disposable, for key: ObjectIdentifier) {
      if hasLeft { answer.dispose() } else { answers[key] = answer }
    }

    func removeAnswer(for key: ObjectIdentifier) {
      answers[key] = nil
    }

    /// Calls the action in the order of the calls of this client. Returns true if the bus must be asked.
    func wait(_ action: @escaping (BusCaller?) -> Void) -> Bool {
      switch credentials {
      case .known(let caller): action(caller)
      case .asked(var waiting):
        credentials = .unknown
        waiting.append(action)
        credentials = .asked(waiting)
      case .unknown:
        credentials = .asked([action])
        return true
      }
      return false
    }

    /// Serves the calls that wait. Without credentials they are refused, and the next call asks again.
    func learn(_ caller: BusCaller?) {
      guard case .asked(let waiting) = credentials else { return }
      credentials = caller.map { .known($0) } ?? .unknown
      for action in waiting { action(caller) }
    }

    var waitingCount: Int {
      if case .asked(let waiting) = credentials { waiting.count } else { 0 }
    }
  }

  private var clients: [String: Client] = [:]

  subscript(name: String) -> Client? { clients[name] }

  /// Returns the entry of a client, and true if it is new.
  func use(_ name: String) -> (Client, isNew: Bool) {
    if let known = clients[name] { return (known, false) }
    let client = Client()
    clients[name] = client
    return (client, true)
  }

  /// Ends the answers to a client that has left.
  func remove(_ name: String) {
    guard let client = clients.removeValue(forKey: name) else { return }
    end(client)
  }

  private func end(_ client: Client) {
    client.hasLeft = true
    let answers = client.answers
    client.answers = [:]
    for answer in answers.values { answer.dispose() }
    client.learn(nil)
  }

  /// Ends all answers, because the connection has ended.
  func removeAll() {
    let all = clients
    clients = [:]
    for client in all.values { end(client) }
  }
}
