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
  private var mayWrite: Bool
  private let accepts: (_ token: String) -> Bool
  private var topics: Set<String> = []
  /// Sends an element when the client sends no more lines.
  private let ended = PushStream<Void>()

  private static let topicLimit = 100
  /// The largest number of bytes of a line.
  static let longestLine = Post.longestRecord

  init(_ board: Board, isTrusted: Bool, accepts: @escaping (String) -> Bool) {
    self.board = board
    mayWrite = isTrusted
    self.accepts = accepts
  }

  /// Returns the lines that answer the lines of a client, with the posts of its topics. They end
  /// with the client, after the answers to what it has published.
  func answers(to lines: EventStream<String, Never>) -> EventStream<String, Never> {
    lines.do(completed: { [ended] in ended.next(()) }).flatMap { [self] in answer(to: $0) }
  }

  private func answer(to line: String) -> EventStream<String, Never> {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    switch (words.first, words.count) {
    case ("SUB", 2...3):
      let after = words.count == 3 ? Int(words[2]) : board.id(beforeNewest: 0, in: String(words[1]))
      guard let after else { return .just("ERROR The number of a post is missing.") }
      return subscribe(to: String(words[1]), after: after)
    case ("PUB", 3):
      guard mayWrite else { return .just("ERROR Send AUTH with a token first.") }
      return board.publish(Post.unescaped(words[2]), in: String(words[1])).stream
        .map { "OK PUB \($0.id)" }.flatMapFailure { .just("ERROR \($0)") }
    case ("AUTH", 2):
      guard accepts(String(words[1])) else { return .just("ERROR The token is not valid.") }
      mayWrite = true
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
      .flatMapFailure { .just("ERROR \($0)") }.startWith("OK SUB \(topic)").take(until: ended)
  }
}
