import Runnel

/// The board over HTTP.
struct Routes {
  let board: Board
  let settings: Settings
  let health: Health

  /// The last events that were made. All subscribers get the same ones.
  private let latest = Latest()

  private final class Latest {
    var id = 0
    var cursor = Cursor()
    var event = ServerSentEvent("")
    var changes: Board.Changes?
    var topicEvents: [ServerSentEvent] = []
  }

  init(_ board: Board, _ settings: Settings, _ health: Health) {
    self.board = board
    self.settings = settings
    self.health = health
  }

  func add(to server: HTTPServer, _ metrics: Metrics) {
    for file in PageFile.all { server.get(file.path) { _ in file.response } }
    server.get("/topics", topics)
    server.get("/topics/:topic", posts)
    server.post("/topics/:topic", publish)
    server.get("/live", live)
    server.get("/metrics") { _ in metrics }
    server.get("/health") { _ in health.response(board) }
  }

  // MARK: - Reading

  /// The topics: as a stream for a browser that asks for one, else as a list. The stream also brings the posts of
  /// some topics: `?follow=kitchen:41&follow=hall:-100` begins with the post of one topic after number 41, and
  /// with the newest 100 posts of another.
  private func topics(_ request: HTTPRequest) throws -> HTTPReply {
    guard request.preferred(among: ["application/json", Self.eventStream]) == Self.eventStream
    else {
      return HTTPReply(HTTPResponse(writingJSON: board.summaries))
    }
    let names = request.query.values(of: "follow")
    guard names.count <= Self.followLimit else {
      throw HTTPError(.badRequest, "At most \(Self.followLimit) topics can be followed.")
    }
    let posts = try names.map(followed)
    return EventStream.merge(posts + [board.changes().flatMap(topicEvents)]).reply(to: request)
  }

  private static let followLimit = 100

  /// The events of a topic after a number, or from its newest posts on, such as `kitchen:-100`.
  private func followed(_ text: String) throws -> EventStream<ServerSentEvent, BoardError> {
    guard let colon = text.lastIndex(of: ":") else { throw Self.wrongFollow }
    let topic = String(text[..<colon])
    let place = text[text.index(after: colon)...]
    let cursor: Cursor
    if let number = Int(place), number < 0 {
      let newest = Int(clamping: number.magnitude)
      cursor = board.cursor(at: board.id(beforeNewest: newest, in: topic), in: topic)
    } else {
      guard let given = Cursor(String(place), at: board.name) else { throw Self.wrongFollow }
      cursor = given
    }
    // The other topics of the stream are sent.
    guard Post.isTopic(topic) else { return .never }
    return board.posts(in: topic, after: cursor).map { event($0.post, $0.cursor) }
  }

  private static let wrongFollow = HTTPError(
    .badRequest, "Follow a topic after a number, such as follow=kitchen:41.")

  private static let eventStream = "text/event-stream"

  /// The posts of a topic, without end. A client that connects again says which post it had last.
  /// `?last=N` begins with the newest N posts.
  private func posts(_ request: HTTPRequest) throws -> HTTPReply {
    let topic = request["topic"]
    guard Post.isTopic(topic) else { throw BoardError.invalidTopic }
    let query = request.query
    let newest = query["last"].flatMap { Int($0) }.map {
      board.cursor(at: board.id(beforeNewest: max($0, 0), in: topic), in: topic)
    }
    let given = (request.lastEventID ?? query["after"]).flatMap { Cursor($0, at: board.name) }
    let cursor = given ?? newest ?? Cursor()
    // A client that is cut off before the first post also connects again with a number.
    let start = ServerSentEvent(id: "\(cursor)", retry: .seconds(1))
    return board.posts(in: topic, after: cursor).map { event($0.post, $0.cursor) }.startWith(start)
      .reply(to: request)
  }

  private func event(_ post: Post, _ cursor: Cursor) -> ServerSentEvent {
    if latest.id == post.id && latest.cursor == cursor { return latest.event }
    latest.id = post.id
    latest.cursor = cursor
    let origin = post.origin ?? Origin(board: board.name, id: post.id)
    let key = origin.board == Cursor.alone ? nil : "\(origin.board).\(origin.id)"
    let content = PostContent(topic: post.topic, key: key, text: post.text, time: post.time)
    latest.event = ServerSentEvent(JSONWriter.text(of: content), id: "\(cursor)")
    return latest.event
  }

  private func topicEvents(
    _ changes: Board.Changes
  ) -> EventStream<ServerSentEvent, BoardError> {
    if latest.changes !== changes {
      latest.changes = changes
      latest.topicEvents = changes.topics.map {
        ServerSentEvent(JSONWriter.text(of: $0), name: "topic")
      }
    }
    return .sequence(latest.topicEvents)
  }

  // MARK: - Publishing

  private struct NewPost: Decodable {
    let text: String
  }

  /// Adds the text of a body, or of a JSON object. The response comes when it is on the disk.
  private func publish(_ request: HTTPRequest) throws -> Single<HTTPResponse, any Error> {
    try settings.checkWriting(request)
    let text =
      request.contentType?.isJSON == true
      ? request.json(NewPost.self).map(\.text) : request.body.text()
    return text.flatMap { [board] text in
      board.publish(text, in: request["topic"]).mapFailure { $0 }
    }.map { post in
      var response = HTTPResponse(.created, writingJSON: ["id": post.id])
      let cursor = board.cursor(at: post.id - 1, in: post.topic)
      response.headers["Location"] = "\(request.path)?after=\(cursor)"
      return response
    }
  }

  /// The line protocol over a WebSocket. A client without a header for the token sends `AUTH`.
  private func live(_ request: HTTPRequest) -> HTTPReply {
    let session = LineSession(board, token: request.bearerToken) { [settings] in
      settings.mayWrite($0, at: request.host)
    }
    return HTTPReply.webSocket(request) { socket in
      session.answers(to: socket.texts.ignoreFailure { _, _ in }).bind(to: socket)
    }
  }
}

/// The data of a post's event.
struct PostContent: Decodable, JSONWritable {
  let topic: String
  /// The same text for the same post on all boards; nil on a board alone.
  let key: String?
  let text: String
  let time: Int

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("topic", topic)
      if let key { json.field("key", key) }
      json.field("text", text)
      json.field("time", time)
    }
  }
}

extension BoardError: HTTPReplyConvertible {
  /// The status of the error, with its text.
  func reply(to request: HTTPRequest) -> HTTPReply {
    let status: HTTPStatus =
      switch self {
      case .invalidTopic, .empty, .controlCharacters: .badRequest
      case .tooLong: .contentTooLarge
      case .tooManyTopics: 507
      case .busy, .file: .serviceUnavailable
      }
    return HTTPError(status, "\(self)").reply(to: request)
  }
}
