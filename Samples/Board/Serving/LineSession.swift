import Runnel

/// A client of the line protocol, over a WebSocket or a Unix socket.
///
///     SUB kitchen        OK SUB kitchen, then POST kitchen 7 The oven\nis free. for each new post
///     SUB kitchen 3      the same, with the stored posts after number 3
///     PUB kitchen Tea!   OK PUB 8
///     AUTH token         OK AUTH
///
/// An error is answered with a line `ERROR` and its reason. A line feed in a text is written `\n`.
final class LineSession {
  private let board: Board
  private var token: String?
  private let mayWrite: (_ token: String?) -> Bool
  private var wrongTokens = 0
  private var topics: Set<String> = []
  /// True when the client sends no more lines.
  private let hasEnded = Property(false)

  private static let topicLimit = 100
  /// The largest number of subscriptions and of posts that are being stored. Further lines wait, and then the
  /// client.
  private static let workLimit = 250
  private static let wrongTokenLimit = 5
  /// The largest number of bytes of a line.
  static let longestLine = Post.longestRecord

  /// Creates a session. The closure says for each post if it may be written with a token.
  init(_ board: Board, token: String? = nil, mayWrite: @escaping (_ token: String?) -> Bool) {
    self.board = board
    self.token = token
    self.mayWrite = mayWrite
  }

  /// Returns the lines that answer the lines of a client, with the posts of its topics. They end
  /// with the client, after the answers to what it has published.
  func answers(to lines: EventStream<String, Never>) -> EventStream<String, Never> {
    lines.do(completed: { [hasEnded] in hasEnded.value = true })
      .flatMap(maxConcurrent: Self.workLimit) { [self] in answer(to: $0) }
  }

  private func answer(to line: String) -> EventStream<String, Never> {
    let words = line.words(atMost: 3)
    switch (words.first, words.count) {
    case ("SUB", 2...3):
      let after = words.count == 3 ? Int(words[2]) : board.id(beforeNewest: 0, in: words[1])
      guard let after else { return .just("ERROR The number of a post is missing.") }
      return subscribe(to: words[1], after: after)
    case ("PUB", 3):
      guard mayWrite(token) else { return .just("ERROR Send AUTH with a token first.") }
      return board.publish(Post.unescaped(words[2]), in: words[1]).stream.asWork
        .map { "OK PUB \($0.id)" }.flatMapFailure { .just("ERROR \($0)") }
    case ("AUTH", 2):
      guard wrongTokens < Self.wrongTokenLimit, mayWrite(words[1]) else {
        wrongTokens += 1
        return .just("ERROR The token is not valid.")
      }
      token = words[1]
      return .just("OK AUTH")
    default: return .just("ERROR Send SUB topic, PUB topic text, or AUTH token.")
    }
  }

  private func subscribe(to topic: String, after id: Int) -> EventStream<String, Never> {
    guard Post.isTopic(topic) else { return .just("ERROR \(BoardError.invalidTopic)") }
    guard topics.count < Self.topicLimit, topics.insert(topic).inserted else {
      return .just("ERROR The topic is subscribed already, or there are too many.")
    }
    return board.posts(in: topic, after: id).map { "POST \($0.topic) \($0.id) \($0.escapedText)" }
      .flatMapFailure { .just("ERROR \($0)") }
      // The client may have ended while this line has waited.
      .take(until: hasEnded.stream.filter { $0 }).startWith("OK SUB \(topic)")
  }
}
