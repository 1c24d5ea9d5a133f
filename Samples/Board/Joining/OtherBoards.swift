import Runnel
import RunnelMQTT

/// The connection to other boards over a broker: each stores the posts of all.
///
/// A board sends each of its posts with the number of the one before it, so the others notice when they miss some.
/// They also compare what they have with the number of its last post, which the broker keeps. Then they ask for the
/// missing ones. A board that was away for long, or that is new, gets all posts in this way.
@MainActor
final class OtherBoards {
  /// A post on its way.
  struct SentPost: Codable {
    /// The number of the post of the same board before it.
    let previous: Int
    let id: Int
    let time: Int
    let topic: String
    let text: String
    /// True for the last post of the answer to a request, after which the other board may ask for more.
    let endsAnswer: Bool
  }

  /// A request for missing posts.
  private struct Request {
    /// The number of the last post that was here when the board was asked.
    let known: Int
    /// The wait for the answer.
    let wait: Disposable
  }

  private let board: Board
  private let bus = EventBus(name: "boards", coder: .json)
  private let link: BusLink
  private let peers: ReadOnlyProperty<[String]>
  /// The number of posts of other boards that this one has accepted since its start.
  private(set) var copyCount = 0
  /// The number of the last post of each other board, as far as it is known.
  private var heads: [String: Int] = [:]
  /// The requests without an answer, by the board that was asked.
  private var requests: [String: Request] = [:]
  /// The numbers after which posts are being read for others.
  private var sending: Set<Int> = []
  private let log: Log

  /// The time after which missing posts are asked for again. It doubles, because the other board may be gone for good.
  private static let firstDelay = Duration.seconds(2)
  private static let longestDelay = Duration.seconds(64)

  /// Joins a board to the others of a broker.
  init(_ board: Board, _ broker: String) throws {
    self.board = board
    let log = Log("board", ["broker": broker.split(separator: "@").last.map { "\($0)" } ?? ""])
    self.log = log
    link = try bus.join(
      broker, prefix: "board", exporting: ["posts.*", "last.*", "wanted.*"],
      importing: ["posts.*", "last.*", "wanted.*"], on: EventLoop.main)
    peers = try link.peers()
    link.state.observeNext { [weak self] state in
      log.notice("The connection to other boards has changed.", ["state": "\(state)"])
      // The broker may have lost it.
      if state == .online { self?.sendHead() }
    }
    try observe("posts") { [weak self] (copy: SentPost, name) in self?.receive(copy, of: name) }
    try observe("last") { [weak self] (id: Int, name) in self?.receive(head: id, of: name) }
    try observe("wanted") { [weak self, name = board.name] (id: Int, other) in
      if other == name { self?.send(after: id) }
    }
    board.droppedCopies.delay(for: Self.firstDelay).observeNext { [weak self] in
      guard let self else { return }
      for name in heads.keys { request(name) }
    }
    board.ownPosts.observeNext { [weak self] in self?.send($0, endsAnswer: false) }
    board.ownPosts.throttle(for: .seconds(1)).observeNext { [weak self] _ in self?.sendHead() }
  }

  /// The number of other boards that are online. It is 0 while this board is offline.
  var peerCount: Int { peers.value.count }

  /// The number of posts and other messages that wait for the broker.
  var waitingCount: Int { link.counts.waiting }

  /// Ends the connection when what waits is sent.
  func leave() -> Completable<Never> { link.leave() }

  /// Observes messages on the topics of boards. The name of a board is the second level.
  private func observe<Payload: Decodable>(
    _ kind: String, _ receive: @escaping (Payload, _ board: String) -> Void
  ) throws {
    try bus.messages(on: "\(kind).*").observeNext { [log] message in
      do {
        let payload = try JSON.decode(Payload.self, from: message.bytes)
        receive(payload, message.topic.split(separator: ".").last.map { String($0) } ?? "")
      } catch {
        log.warning("A message of another board cannot be read.", ["error": "\(error)"])
      }
    }
  }

  private func publish(_ payload: some Encodable, _ topic: String, isKept: Bool = false) {
    do throws(TopicError) {
      try bus.publish(payload, on: topic, sticky: isKept)
    } catch {
      log.warning("A message to other boards cannot be sent.", ["error": "\(error)"])
    }
  }

  // MARK: - Sending

  private func send(_ post: Post, endsAnswer: Bool) {
    publish(
      SentPost(
        previous: board.ownID(before: post.id), id: post.id, time: post.time, topic: post.topic,
        text: post.text, endsAnswer: endsAnswer), "posts.\(board.name)")
  }

  private func sendHead() { publish(board.lastOwnID, "last.\(board.name)", isKept: true) }

  /// Sends the next posts after a number, which another board does not have.
  private func send(after id: Int) {
    // Several boards may miss the same ones.
    guard id >= 0, id < board.lastOwnID, sending.insert(id).inserted else { return }
    board.ownPosts(after: id).observe(
      next: { [weak self] posts in
        self?.sending.remove(id)
        for post in posts { self?.send(post, endsAnswer: post == posts.last) }
      },
      failed: { [weak self, log] error in
        self?.sending.remove(id)
        log.error("Posts for other boards cannot be read.", ["error": "\(error)"])
      })
  }

  // MARK: - Receiving

  private func receive(_ copy: SentPost, of name: String) {
    if name == board.name { return }
    let post = Post(
      id: 0, time: copy.time, topic: copy.topic, text: copy.text,
      origin: Origin(board: name, id: copy.id))
    guard BoardName.isName(name), Board.isCopy(post, after: copy.previous) else {
      return log.warning("A post of another board is not valid.", ["from": name])
    }
    heads[name] = max(heads[name] ?? 0, copy.id)
    let known = board.acceptedID(of: name)
    let isComplete = board.accept(post, after: copy.previous)
    if board.acceptedID(of: name) > known { copyCount += 1 }
    // An answer that has brought nothing is not followed by a request at once. This board may be unable to store.
    let hasProgress = requests[name].map { board.acceptedID(of: name) > $0.known } ?? true
    if copy.endsAnswer && hasProgress {
      request(name, isRepeated: true)
    } else if !isComplete {
      request(name)
    }
  }

  private func receive(head id: Int, of name: String) {
    guard name != board.name, BoardName.isName(name), 0...Post.largestID ~= id else { return }
    heads[name] = id
    request(name)
  }

  /// Asks a board for its posts that are missing here, and again after a delay if they do not come.
  private func request(
    _ name: String, isRepeated: Bool = false, again delay: Duration = firstDelay
  ) {
    let known = board.acceptedID(of: name)
    guard let head = heads[name], head > known, board.failure == nil else {
      requests.removeValue(forKey: name)?.wait.dispose()
      return
    }
    if requests[name] != nil && !isRepeated { return }
    requests.removeValue(forKey: name)?.wait.dispose()
    let wait = EventLoop.main.schedule(after: delay) { [weak self] in
      self?.request(name, isRepeated: true, again: min(delay * 2, Self.longestDelay))
    }
    requests[name] = Request(known: known, wait: wait)
    publish(known, "wanted.\(name)")
  }
}
