import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// A server and a client that writes bytes, in a test network.
private struct Exchange {
  let pair: Pair
  let server: HTTPServer
  private let received = Received()

  private final class Received {
    var bytes: [UInt8] = []
    var hasEnded = false
    var failure: SocketError?
  }

  init(pieces size: Int = 1 << 16, _ setUp: (HTTPServer) -> Void) throws {
    pair = try Pair { $0.pieceSize = size }
    server = HTTPServer(on: pair.network)
    setUp(server)
    server.serve(pair.far)
    pair.near.staysOpenAfterEnd = true
    let received = received
    pair.near.bytes.observe(
      next: { received.bytes += $0 }, failed: { received.failure = $0 },
      completed: { received.hasEnded = true })
  }

  func send(_ text: String, then time: Duration = .zero) {
    _ = pair.near.write(text)
    pair.scheduler.advance(by: time)
  }

  func advance(by time: Duration = .zero) { pair.scheduler.advance(by: time) }

  var text: String { String(decoding: received.bytes, as: UTF8.self) }
  var status: String { String(text.dropFirst(9).prefix(3)) }
  var hasEnded: Bool { received.hasEnded }
  var failure: SocketError? { received.failure }
  var connectionIsOpen: Bool { pair.far.isOpen }
}

private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite struct ServerConnectionTests {
  // MARK: - The client goes away

  @Test(
    "A client that goes away disposes the stream of the handler within one turn",
    arguments: ["", "GET /next HTTP/1.1\r\nHost: a\r\n\r\n", "garbage"],
    [true, false])
  func clientThatGoesAwayDisposesTheStream(pipelined: String, resets: Bool) throws {
    for path in ["/stream", "/single"] {
      var disposals = 0
      var handled = 0
      let exchange = try Exchange { server in
        let endless = EventStream<String, Never>.never.do(disposed: { disposals += 1 })
        server.get("/stream") { _ in endless }
        server.get("/single") { _ in Single<String, Never> { _ in Disposable { disposals += 1 } } }
        server.get("/next") { _ in
          handled += 1
          return "next"
        }
      }
      exchange.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" + pipelined)
      #expect(disposals == 0)
      if resets {
        exchange.pair.network.reset(exchange.pair.near)
      } else {
        exchange.pair.near.close()
      }
      exchange.advance()
      #expect(disposals == 1, "\(path)")
      #expect(handled == 0)
      #expect(exchange.server.connectionCount == 0)
    }
  }

  @Test func clientMayFinishBeforeTheResponse() throws {
    let exchange = try Exchange { $0.post("/") { $0.body.text() } }
    _ = exchange.pair.near.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
    exchange.pair.near.finish()
    exchange.advance()
    #expect(parts(of: exchange.text).body == "abc")
    #expect(exchange.hasEnded && exchange.failure == nil)
  }

  @Test func resetInTheBodyFailsItsStream() throws {
    var error: (any Error)?
    let exchange = try Exchange { server in
      server.post("/") { request in
        request.body.bytes().do(failed: { error = $0 }).map { _ in "" }
      }
    }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na")
    exchange.pair.network.reset(exchange.pair.near)
    exchange.advance()
    #expect(error as? HTTPBodyError == .disconnected)
    #expect(exchange.server.connectionCount == 0)
  }

  // MARK: - Connections

  @Test(
    arguments: [
      ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", false),
      ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", true),
      ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Close\r\n\r\n", true),
      ("GET / HTTP/1.0\r\n\r\n", true), ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false),
      ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", false), ("GET /x HTTP/1.1\r\nHost: a\r\n\r\n", false),
      ("GET / HTTP/1.1\r\n\r\n", true), ("POST / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", true),
    ])
  func connectionEndsWhenItMust(request: String, closes: Bool) throws {
    let exchange = try Exchange { $0.get("/") { _ in "hi" } }
    exchange.send(request)
    #expect(exchange.hasEnded == closes)
    let saysClose = exchange.text.contains("Connection: close\r\n")
    #expect(saysClose == closes)
    #expect(
      exchange.text.contains("Connection: keep-alive\r\n") == (request.contains("1.0") && !closes))
    if closes { return }
    exchange.send(request)
    #expect(exchange.text.split(separator: "HTTP/1.1 ").count == 2)
  }

  @Test func streamForAnOldClientEndsTheConnection() throws {
    let exchange = try Exchange { server in
      server.get("/") { _ in EventStream<String, Never>.sequence(["a", "b"]) }
    }
    exchange.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    let (head, body) = parts(of: exchange.text)
    #expect(body == "ab")
    #expect(head.contains("Connection: close") && !head.contains { $0.hasPrefix("Transfer") })
    #expect(exchange.hasEnded)
  }

  @Test("A response to HEAD has the fields of the GET and no body")
  func headHasNoBody() throws {
    var observations = 0
    let exchange = try Exchange { server in
      server.get("/") { _ in "hello" }
      server.get("/stream") { _ in
        EventStream<String, Never>.just("a").do(observed: { observations += 1 })
      }
    }
    exchange.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nHEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(exchange.text.contains("Content-Length: 5\r\n"))
    #expect(exchange.text.contains("Transfer-Encoding: chunked\r\n\r\n"))
    #expect(!exchange.text.contains("hello") && observations == 0)
  }

  // MARK: - Errors

  @Test func handlerErrorsAreAnswered() throws {
    struct Unknown: Error {}
    struct Mapped: Error {}
    var failures: [any Error] = []
    let exchange = try Exchange { server in
      server.failures.observeNext { failures.append($0) }
      server.get("/unknown") { _ -> String in throw Unknown() }
      server.get("/later") { _ in Single<String, any Error>.failed(Unknown()) }
      server.get("/mapped") { _ -> String in throw Mapped() }
      server.get("/typed") { _ in Single<String, HTTPError>.failed(HTTPError(.conflict)) }
      server.get("/none") { _ in HTTPReply.later(EventStream<HTTPResponse, Never>.completed) }
      server.mapErrors { error, _ in error is Mapped ? HTTPStatus.gone : nil }
    }
    for (path, status) in [
      ("unknown", 500), ("later", 500), ("mapped", 410), ("typed", 409), ("none", 500),
    ] {
      let before = exchange.text.count
      exchange.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(exchange.text.dropFirst(before).hasPrefix("HTTP/1.1 \(status)"), "\(path)")
    }
    #expect(failures.count == 2)
    #expect(exchange.connectionIsOpen)
  }

  @Test("A handler that drops its request is answered with 500")
  func droppedRequestIsAnswered() throws {
    var kept: HTTPResponder?
    let exchange = try Exchange { server in
      server.get("/") { request in HTTPReply.later(to: request) { kept = $0 } }
    }
    exchange.send(get)
    #expect(exchange.text.isEmpty && kept?.isActive == true)
    kept = nil
    exchange.advance()
    #expect(exchange.status == "500")
    exchange.send(get)
    let responder = try #require(kept)
    responder.respond("one")
    responder.respond("two")
    #expect(!responder.isActive)
    exchange.advance()
    #expect(parts(of: exchange.text).body.hasSuffix("\r\n\r\none"))
    exchange.send(get)
    kept?.fail(HTTPError(.conflict))
    exchange.send(get)
    #expect(exchange.text.contains("409 Conflict"))
    exchange.pair.near.close()
    exchange.advance()
    #expect(kept?.isActive == false)
    kept?.respond("late")
  }

  @Test func failingStreamResetsTheConnection() throws {
    let source = Subject<String, HTTPError>()
    let exchange = try Exchange { $0.get("/") { _ in source.stream } }
    exchange.send(get)
    source.next("a")
    exchange.advance()
    source.failed(HTTPError(.conflict))
    exchange.advance()
    #expect(exchange.text.hasSuffix("1\r\na\r\n"))
    #expect(exchange.failure?.cause == .reset)
  }

  @Test("A stream with a wrong count resets the connection", arguments: ["a", "abcd"])
  func wrongCountResetsTheConnection(text: String) throws {
    let exchange = try Exchange { server in
      server.get("/") { _ in
        HTTPBody(EventStream<[UInt8], Never>.just(Array(text.utf8)), count: 3)
      }
    }
    exchange.send(get)
    #expect(exchange.text.contains("Content-Length: 3\r\n") || exchange.text.isEmpty)
    #expect(exchange.failure?.cause == .reset)
  }

  @Test("Handlers receive the query as it was sent", arguments: [1, 1_000])
  func queriesAreReceived(size: Int) throws {
    let exchange = try Exchange(pieces: size) { server in
      server.get("/a") { "\($0.path) \($0.host) \($0.target) \($0.query.pairs.map(\.value))" }
    }
    for target in ["/a?q=100%", "/a?\u{301}/=b\\%41", "http://a/a?\u{301}/=\u{e9}"] {
      exchange.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    let lines = exchange.text.split(separator: "\r\n").filter { $0.hasPrefix("/a") }
    #expect(
      lines.map { $0.split(separator: "HTTP/1.1 ")[0] } == [
        "/a a /a?q=100% [\"100%\"]", "/a a /a?\u{301}/=b\\%41 [\"b\\\\A\"]",
        "/a a /a?\u{301}/=\u{e9} [\"\u{e9}\"]",
      ])
  }

  @Test("Nothing behind an invalid request is handled", arguments: [1, 1_000])
  func nothingBehindAnErrorIsHandled(size: Int) throws {
    var count = 0
    let exchange = try Exchange(pieces: size) { server in
      server.on(nil, "/") { _ in
        count += 1
        return "hi"
      }
    }
    exchange.send(
      get + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "0\r\n\r\n" + get, then: .seconds(3))
    #expect(count == 1)
    #expect(exchange.text.contains("HTTP/1.1 400 Bad Request"))
    #expect(exchange.hasEnded)
  }

  // MARK: - Bodies

  @Test func continueIsSentWhenTheBodyIsRead() throws {
    let exchange = try Exchange { server in
      server.post("/read") { $0.body.text() }
      server.post("/refuse") { _ in HTTPStatus.forbidden }
    }
    let head = "HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    exchange.send("POST /read " + head)
    #expect(exchange.text == "HTTP/1.1 100 Continue\r\n\r\n")
    exchange.send("abc")
    #expect(exchange.text.hasSuffix("\r\n\r\nabc"))
    exchange.send("POST /refuse " + head)
    #expect(exchange.text.contains("403 Forbidden"))
    #expect(exchange.hasEnded)
  }

  @Test func unreadBodiesAreDropped() throws {
    let exchange = try Exchange { $0.post("/") { _ in "ok" } }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nGET / HTTP" + get)
    #expect(exchange.text.contains("405 Method Not Allowed"))
    #expect(exchange.text.contains("Allow: POST, OPTIONS\r\n"))
    exchange.send(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + get)
    #expect(exchange.text.split(separator: "HTTP/1.1 ").count == 4)
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    exchange.advance(by: .seconds(3))
    #expect(exchange.hasEnded)
  }

  @Test func tooLargeBodiesAreRefused() throws {
    for request in [
      "Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n6\r\nabcdef",
    ] {
      for later in [false, true] {
        let never = Subject<[UInt8], any Error>()
        let exchange = try Exchange { server in
          server.limits.body = 10
          server.post("/") { request in
            later
              ? Single(
                trusting: never.stream.merge(request.body.stream).filter { _ in false }.map { _ in
                  ""
                })
              : request.body.text()
          }
        }
        exchange.send("POST / HTTP/1.1\r\nHost: a\r\n" + request, then: .seconds(3))
        #expect(exchange.status == "413")
        #expect(exchange.hasEnded)
      }
    }
  }

  @Test func trailersFollowTheBody() throws {
    let exchange = try Exchange { server in
      server.post("/") { request in
        request.body.text().map { "\($0) \(request.trailers["X-Sum"] ?? "none")" }
      }
    }
    exchange.send(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n"
    )
    #expect(parts(of: exchange.text).body == "a 7")
  }

  @Test func bodyIsReadOnce() throws {
    let exchange = try Exchange { server in
      server.post("/") { request in
        request.body.text().flatMap { _ in request.body.text() }
      }
    }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na")
    #expect(exchange.status == "500")
  }

  @Test("A body from another connection pauses that connection while the client reads slowly")
  func streamedBodyPausesItsSource() throws {
    let pair = try Pair()
    let upstream = try Listener(.tcp("upstream", port: 9), on: pair.network)
    var source: Connection?
    upstream.connections.observeNext { source = $0 }
    var toSource: Connection?
    Connection.connect(to: .tcp("upstream", port: 9), on: pair.network).observe(
      succeeded: { toSource = $0 })
    pair.scheduler.run()
    let reader = try #require(toSource)
    let server = HTTPServer(on: pair.network)
    server.get("/") { _ in HTTPBody(reader.bytes) }
    server.serve(pair.far)
    _ = pair.near.write(get)
    pair.scheduler.advance(by: .zero)
    var sent = 0
    while source?.write([UInt8](repeating: 97, count: 10_000)) ?? false {
      sent += 10_000
      pair.scheduler.advance(by: .zero)
      try #require(sent < 10_000_000)
    }
    // The networks, the writers and the chunks hold less than this.
    #expect(sent < 1_000_000)
    var received = 0
    pair.near.bytes.observe(next: { received += $0.count }, failed: { _ in })
    source?.close()
    pair.scheduler.run()
    #expect(received > sent)
  }

  // MARK: - Time limits

  @Test(
    "A head or a body that does not arrive in time is answered with 408",
    arguments: [
      ("G", 15), ("GET / HTTP/1.1\r\nHost: a\r\n", 15),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\nabc", 6),
    ])
  func lateRequestsAreRefused(start: String, seconds: Int) throws {
    let exchange = try Exchange { $0.post("/") { $0.body.text() } }
    exchange.send(start)
    exchange.advance(by: .seconds(seconds - 1))
    #expect(exchange.text.isEmpty)
    exchange.advance(by: .seconds(2))
    #expect(exchange.status == "408")
    exchange.advance(by: .seconds(3))
    #expect(exchange.hasEnded)
    #expect(exchange.server.connectionCount == 0)
  }

  @Test("A blank line after a body begins no head, so that no 408 follows")
  func blankLineIsNoHead() throws {
    let exchange = try Exchange { $0.post("/") { $0.body.text() } }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi\r\n")
    exchange.advance(by: .seconds(70))
    #expect(parts(of: exchange.text).body == "hi" && !exchange.hasEnded)
    exchange.advance(by: .seconds(10))
    #expect(parts(of: exchange.text).body == "hi" && exchange.hasEnded)
  }

  @Test("Requests that no handler has seen are reported")
  func refusalsAreReported() throws {
    var refusals: [String] = []
    func reported(_ text: String, after seconds: Int = 0) throws -> [String] {
      refusals = []
      let exchange = try Exchange { server in
        server.get("/") { _ in "hi" }
        server.limits.body = 10
        server.refusals.observeNext { refusals.append("\($0.status.code) \($0.peer)") }
      }
      exchange.send(text)
      exchange.advance(by: .seconds(seconds))
      return refusals.map { String($0.prefix(4)) }
    }
    #expect(try reported(get) == [])
    #expect(try reported("GET /\r\n") == ["400 "])
    #expect(try reported("GET / HTTP/1.1\r\nHost: a", after: 20) == ["408 "])
    #expect(try reported("GET / HTTP/1.1\r\nExpect: x\r\nHost: a\r\n\r\n") == ["417 "])
  }

  @Test func slowHeadIsRefusedDespiteProgress() throws {
    let exchange = try Exchange { $0.get("/") { _ in "hi" } }
    exchange.send("GET / HTTP/1.1\r\nHost: a\r\n")
    for _ in 0..<20 where exchange.text.isEmpty { exchange.send("X: a\r\n", then: .seconds(1)) }
    #expect(exchange.status == "408")
  }

  @Test func fastBodyMayTakeLong() throws {
    let exchange = try Exchange { $0.post("/") { $0.body.bytes().map { "\($0.count)" } } }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n")
    for _ in 0..<100 { exchange.send(String(repeating: "a", count: 300), then: .seconds(1)) }
    #expect(parts(of: exchange.text).body == "30000")
  }

  @Test func idleConnectionsAreClosed() throws {
    let silent = try Exchange { $0.get("/") { _ in "hi" } }
    silent.advance(by: .seconds(16))
    #expect(silent.hasEnded && silent.text.isEmpty)
    let served = try Exchange { $0.get("/") { _ in "hi" } }
    served.send(get)
    served.advance(by: .seconds(74))
    #expect(!served.hasEnded)
    served.advance(by: .seconds(3))
    #expect(served.hasEnded)
  }

  @Test func slowHandlersHaveNoLimit() throws {
    let answer = Subject<String, Never>()
    let exchange = try Exchange { server in
      server.get("/") { _ in Single(trusting: answer.stream.take(1)) }
    }
    exchange.send(get)
    exchange.advance(by: .seconds(1_000))
    answer.next("late")
    exchange.advance()
    #expect(parts(of: exchange.text).body == "late")
  }

  // MARK: - Events

  @Test func eventsHaveHeartbeats() throws {
    let events = Subject<ServerSentEvent, Never>()
    let exchange = try Exchange { server in
      server.get("/") { _ in events }
    }
    exchange.send(get)
    #expect(exchange.text.contains("Content-Type: text/event-stream\r\n"))
    let before = exchange.text.utf8.count
    exchange.advance(by: .seconds(14))
    #expect(exchange.text.utf8.count == before)
    exchange.advance(by: .seconds(2))
    #expect(exchange.text.hasSuffix("3\r\n:\n\n\r\n"))
    events.next(ServerSentEvent("a\nb", name: "x", id: "1", retry: .seconds(2)))
    exchange.advance()
    #expect(
      exchange.text.hasSuffix("event: x\nid: 1\nretry: 2000\ndata: a\ndata: b\n\n\r\n"))
    events.next(ServerSentEvent(id: "7", retry: .seconds(1)))
    exchange.advance()
    #expect(exchange.text.hasSuffix("\r\nid: 7\nretry: 1000\n\n\r\n"))
    events.completed()
    exchange.advance()
    #expect(exchange.text.hasSuffix("\r\n0\r\n\r\n") && !exchange.hasEnded)
  }

  // MARK: - Draining

  @Test func drainLetsRequestsFinish() throws {
    let answer = Subject<String, Never>()
    let exchange = try Exchange { server in
      server.get("/") { _ in Single(trusting: answer.stream.take(1)) }
    }
    exchange.send(get)
    var isClosed = false
    exchange.server.close(within: .seconds(10)).observe(completed: { isClosed = true })
    exchange.advance(by: .seconds(5))
    answer.next("last")
    exchange.advance()
    #expect(parts(of: exchange.text).body == "last")
    #expect(exchange.text.contains("Connection: close\r\n"))
    #expect(exchange.hasEnded)
    // The client keeps its direction open, so the server waits a little for its end.
    exchange.advance(by: .seconds(3))
    #expect(isClosed)
  }

  @Test("A drain answers a request on its way, and closes idle connections after a second")
  func drainWaitsForRequestsOnTheirWay() throws {
    let idle = try Exchange { $0.get("/") { _ in "hi" } }
    idle.server.close().observe()
    idle.advance(by: .milliseconds(900))
    #expect(!idle.hasEnded)
    idle.advance(by: .seconds(3))
    #expect(idle.hasEnded && idle.text.isEmpty)
    let late = try Exchange { $0.get("/") { _ in "hi" } }
    late.server.close().observe()
    late.send(get)
    #expect(parts(of: late.text).body == "hi" && late.hasEnded)
  }

  @Test func drainEndsStreamsOfEvents() throws {
    var disposals = 0
    let exchange = try Exchange { server in
      server.get("/") { _ in
        EventStream<ServerSentEvent, Never>.never.do(disposed: { disposals += 1 })
      }
    }
    exchange.send(get)
    exchange.server.close().observe()
    exchange.advance()
    #expect(disposals == 1)
    #expect(exchange.text.hasSuffix("\r\n\r\n0\r\n\r\n"))
    #expect(exchange.hasEnded && exchange.failure == nil)
  }

  @Test func drainResetsAtTheDeadline() throws {
    let exchange = try Exchange { $0.get("/") { _ in Single<String, Never>(trusting: .never) } }
    exchange.send(get)
    var isClosed = false
    exchange.server.close(within: .seconds(5)).observe(completed: { isClosed = true })
    exchange.advance(by: .seconds(4))
    #expect(!isClosed)
    exchange.advance(by: .seconds(2))
    #expect(isClosed && exchange.failure?.cause == .reset)
  }

  // MARK: - Limits of connections

  @Test func connectionsBeyondTheMaximumAreRefused() throws {
    let exchange = try Exchange { server in
      server.maximumConnections = 0
      server.get("/") { _ in "hi" }
    }
    exchange.advance(by: .seconds(3))
    #expect(exchange.status == "503")
    #expect(exchange.hasEnded)
  }
}

/// Mistakes that a review has found.
@Suite struct ServerMistakeTests {
  @Test("A drain waits until the client has read the last byte of a large response")
  func drainWaitsForTheLastByte() throws {
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    server.get("/") { _ in [UInt8](repeating: 97, count: 1_000_000) }
    server.serve(pair.far)
    pair.near.staysOpenAfterEnd = true
    let demand = Demand(1)
    var received = 0
    pair.near.bytes(demand: demand).observe(next: { received += $0.count }, failed: { _ in })
    _ = pair.near.write(get)
    pair.scheduler.advance(by: .zero)
    var isClosed = false
    server.close(within: .seconds(100)).observe(completed: { isClosed = true })
    pair.scheduler.advance(by: .seconds(5))
    #expect(!isClosed && server.connectionCount == 1 && received < 1_000_000)
    demand.request(.max)
    pair.scheduler.advance(by: .seconds(5))
    #expect(received > 1_000_000 && isClosed)
  }

  @Test("The observer of a body that ends after the response does not block the next request")
  func endOfTheBodysObserverIsNoticed() throws {
    for length in [100, 100_000] {
      var bodies: [Disposable] = []
      let exchange = try Exchange { server in
        server.post("/") { request in
          bodies.append(request.body.bytes(atMost: 10).observe(failed: { _ in }))
          return "ok"
        }
        server.get("/") { _ in "next" }
      }
      exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
      exchange.send(String(repeating: "a", count: 20))
      exchange.send(String(repeating: "a", count: 80) + get, then: .seconds(3))
      // The rest of the long body cannot be dropped, so the connection ends.
      #expect(exchange.text.hasSuffix("next") == (length == 100))
      #expect(exchange.hasEnded == (length != 100))
    }
  }

  @Test("Only HEAD in capitals is a request without a body in the response")
  func methodsAreCompared() throws {
    let exchange = try Exchange { $0.get("/") { _ in "hi" } }
    exchange.send("hEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(parts(of: exchange.text).body == "405 Method Not Allowed\n")
  }

  @Test func burstDoesNotBuyTime() throws {
    let exchange = try Exchange { $0.post("/") { $0.body.text() } }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n")
    exchange.send(String(repeating: "a", count: 400_000), then: .seconds(10))
    #expect(exchange.status == "408")
  }

  @Test("A stream that a client without chunks has finished early is reset")
  func unfinishedStreamIsReset() throws {
    let rows = Subject<String, Never>()
    let exchange = try Exchange { $0.get("/") { _ in rows.stream } }
    exchange.send("GET / HTTP/1.0\r\n\r\n")
    rows.next("a")
    exchange.advance()
    exchange.pair.near.finish()
    exchange.advance()
    #expect(exchange.failure?.cause == .reset)
  }

  @Test("Only streams of events get comments", arguments: [true, false])
  func otherStreamsGetNoComments(hasCount: Bool) throws {
    let exchange = try Exchange { server in
      server.get("/") { _ in
        HTTPResponse(
          headers: ["Content-Type": "text/event-stream"],
          body: HTTPBody(EventStream<[UInt8], Never>.never, count: hasCount ? 10 : nil))
      }
    }
    exchange.send(get, then: .seconds(60))
    #expect(parts(of: exchange.text).body == "")
  }

  @Test func repliesOfAnotherProtocolMustNotComeLater() throws {
    var failures: [any Error] = []
    let exchange = try Exchange { server in
      server.failures.observeNext { failures.append($0) }
      server.get("/single") { request in
        Single<HTTPReply, Never>.just(HTTPReply(.upgrade(HTTPResponse(101)) { _ in {} }))
      }
      server.get("/interim") { _ in HTTPStatus(103) }
    }
    exchange.send("GET /single HTTP/1.1\r\nHost: a\r\n\r\nGET /interim HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(exchange.text.split(separator: "500 Internal Server Error\r\n").count == 3)
    #expect(
      failures as? [HTTPServerError] == [.lateUpgrade, .interimResponse(HTTPStatus(103))])
  }

  @Test func absoluteTargetReplacesTheHost() throws {
    let exchange = try Exchange { server in
      server.get("/") { "\($0.host) \($0.headers.values(of: "Host"))" }
    }
    exchange.send("GET http://a.org/ HTTP/1.1\r\nHost: b.org\r\n\r\n")
    #expect(parts(of: exchange.text).body == "a.org [\"a.org\"]")
  }

  @Test func echoOfAnAwaitedBodyIsContinued() throws {
    let exchange = try Exchange { $0.post("/") { HTTPBody($0.body.stream) } }
    exchange.send(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(exchange.text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
    exchange.send("abc")
    #expect(exchange.text.hasSuffix("3\r\nabc\r\n0\r\n\r\n"))
  }

  @Test("A response within a piece of the body ends the body after that piece")
  func bodyEndsAfterThePiece() throws {
    var log: [String] = []
    let exchange = try Exchange { server in
      server.post("/") { request in
        HTTPReply.later(to: request) { responder in
          request.body.stream.observe(
            next: { _ in
              log.append("begin")
              responder.respond(HTTPError(.contentTooLarge))
              log.append("end")
            }, failed: { log.append("\($0 as? HTTPBodyError == .disconnected)") })
        }
      }
    }
    exchange.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nConnection: close\r\n\r\nabc")
    exchange.advance(by: .seconds(3))
    #expect(log == ["begin", "end", "true"])
    #expect(exchange.status == "413")
  }

  @Test("Later responses wait while the client reads nothing")
  func laterResponsesHaveBackPressure() throws {
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    var count = 0
    server.get("/") { _ in
      count += 1
      return Single<[UInt8], Never>.just([UInt8](repeating: 97, count: 100_000))
        .delay(for: .milliseconds(1), on: pair.scheduler)
    }
    server.serve(pair.far)
    _ = pair.near.write(String(repeating: get, count: 500))
    pair.scheduler.advance(by: .seconds(5))
    // 256 KiB in the writer and 64 KiB in the network.
    #expect(count < 10)
    pair.near.bytes.observe(next: { _ in }, failed: { _ in })
    pair.scheduler.advance(by: .seconds(5))
    #expect(count == 500)
  }

  @Test("One file at a time waits for a client that reads nothing")
  func filesWaitOneAtATime() throws {
    let folder = TemporaryFolder()
    folder.write("a", String(repeating: "a", count: 1_000_000))
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    var count = 0
    server.use { request, next in
      count += 1
      return next(request)
    }
    server.files("/", in: folder.path)
    server.serve(pair.far)
    _ = pair.near.write(String(repeating: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", count: 50))
    pair.scheduler.advance(by: .seconds(5))
    #expect(count == 1)
    var received = 0
    pair.near.bytes.observe(next: { received += $0.count }, failed: { _ in })
    pair.scheduler.advance(by: .seconds(5))
    #expect(count == 50 && received > 50_000_000)
  }
}
