import RunnelGzip
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

/// The response of a server to a request, with its whole body.
func respond(
  to request: HTTPRequest, _ setUp: (HTTPServer) -> Void
) -> (response: HTTPResponse, body: [UInt8]) {
  let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
  setUp(server)
  var response = HTTPResponse(500)
  server.test(request).observe { response = $0 }
  var body: [UInt8] = []
  response.body.stream.observe(next: { body += $0 }, failed: { _ in body = [] })
  return (response, body)
}

@Suite struct HTTPCodingTests {
  private static let text = String(repeating: "some text ", count: 200)

  /// The response to a request with a value of `Accept-Encoding`.
  private func get(
    _ accepted: String?, _ response: @escaping () -> HTTPResponse = { HTTPResponse(text: text) }
  ) -> (response: HTTPResponse, body: [UInt8]) {
    var request = HTTPRequest(.get, "/")
    request.headers["Accept-Encoding"] = accepted
    return respond(to: request) { server in
      server.use(.gzip())
      server.get("/") { _ in response() }
    }
  }

  // MARK: - Responses

  @Test(
    arguments: [
      ("gzip", true), ("GZIP", true), ("x-gzip", true), ("*", true), ("br, gzip;q=0.1", true),
      ("gzip; q=1.000", true), ("identity;q=0.5, gzip;q=0.5", true), ("gzip;q=0.001", true),
      ("deflate;q=0.5, *;q=0.2", true), (nil, false), ("", false), ("br", false),
      ("gzip;q=0", false),
      ("gzip;q=0.000", false), ("*;q=0", false), ("gzip;q=0, *", false), ("gzip;q=2", false),
      ("gzip;q=0.1234", false), ("gzip;q=", false), ("gzip;x=1", false), ("gzip;q=.5", false),
      ("identity, gzip;q=0.5", false),
    ] as [(String?, Bool)])
  func acceptedCodingsAreWeighted(_ accepted: String?, _ isGzip: Bool) throws {
    let (response, body) = get(accepted)
    #expect(response.headers["Content-Encoding"] == (isGzip ? "gzip" : nil))
    #expect(response.headers["Vary"] == "Accept-Encoding")
    #expect(try (isGzip ? inflate(body) : body) == Array(Self.text.utf8))
    #expect(response.body.count == body.count)
  }

  @Test("Small, encoded, partial and other bodies are left alone")
  func unsuitableBodiesAreLeftAlone() {
    func isGzip(_ change: (inout HTTPResponse) -> Void) -> Bool {
      var changed = HTTPResponse(text: Self.text)
      change(&changed)
      return get("gzip") { changed }.response.headers["Content-Encoding"] == "gzip"
    }
    #expect(isGzip { _ in })
    #expect(!isGzip { $0.body = HTTPBody(String(repeating: "a", count: 1_023)) })
    #expect(isGzip { $0.body = HTTPBody(String(repeating: "a", count: 1_024)) })
    #expect(!isGzip { $0.body = HTTPBody(String(repeating: "a", count: 1 << 20 + 1)) })
    #expect(!isGzip { $0.body = .empty })
    #expect(!isGzip { $0.status = .partialContent })
    #expect(!isGzip { $0.headers["Content-Range"] = "bytes 0-1/2" })
    #expect(!isGzip { $0.headers["Content-Type"] = nil })
    #expect(!isGzip { $0.headers["Cache-Control"] = "public, no-transform" })
    for type in ["image/png", "application/octet-stream", "application/gzip", "video/mp4"] {
      #expect(!isGzip { $0.headers["Content-Type"] = type })
    }
    for type in [
      "Text/HTML;charset=utf-8", "application/json", "image/svg+xml", "application/a+json",
    ] {
      #expect(isGzip { $0.headers["Content-Type"] = type })
    }
    var encoded = HTTPResponse(text: Self.text)
    encoded.headers["Content-Encoding"] = "br"
    #expect(get("gzip") { encoded }.response.headers.values(of: "Content-Encoding") == ["br"])
  }

  @Test func tagsBecomeWeakAndVaryIsAdded() {
    func changed(_ status: HTTPStatus, _ tag: String, vary: String? = nil) -> HTTPHeaders {
      get("gzip") {
        var response = HTTPResponse(status, text: Self.text)
        response.headers["ETag"] = tag
        response.headers["Vary"] = vary
        response.headers["Accept-Ranges"] = "bytes"
        return response
      }.response.headers
    }
    #expect(changed(.ok, "\"a\"")["ETag"] == "W/\"a\"")
    #expect(changed(.ok, "W/\"a\"")["ETag"] == "W/\"a\"")
    #expect(changed(.notModified, "\"a\"")["ETag"] == "W/\"a\"")
    #expect(!changed(.ok, "\"a\"").contains("Accept-Ranges"))
    #expect(
      changed(.ok, "x", vary: "Cookie").elements(of: "Vary") == ["Cookie", "Accept-Encoding"])
    #expect(changed(.ok, "x", vary: "accept-encoding").elements(of: "Vary") == ["accept-encoding"])
    #expect(changed(.ok, "x", vary: "*").elements(of: "Vary") == ["*"])
  }

  @Test("Each piece of a stream can be decompressed when it arrives")
  func streamsAreFlushedPieceByPiece() throws {
    let source = PushStream<String>()
    let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
    server.use(.gzip())
    server.get("/") { _ in source.stream }
    var pieces: [[UInt8]] = []
    var hasCompleted = false
    server.test(HTTPRequest(.get, "/", headers: ["Accept-Encoding": "gzip"])).observe {
      #expect($0.headers["Content-Encoding"] == "gzip")
      $0.body.stream.observe(
        next: { pieces.append($0) }, failed: { _ in }, completed: { hasCompleted = true })
    }
    let inflater = Inflater()
    for text in ["one", "two", "three"] {
      source.next(text)
      var offset = 0
      let piece = try #require(pieces.last)
      pieces.removeLast()
      #expect(try inflater.inflate(piece, &offset, atMost: 100) == Array(text.utf8))
    }
    source.next("")
    #expect(pieces.isEmpty)
    source.end(.completed)
    var offset = 0
    let end = try #require(pieces.last)
    #expect(try inflater.inflate(end, &offset, atMost: 100) == [])
    #expect(inflater.isComplete && hasCompleted)
  }

  /// The bytes of chunks.
  private func unchunked(_ bytes: [UInt8]) -> (bytes: [UInt8], isComplete: Bool) {
    var rest = bytes[...]
    var result: [UInt8] = []
    while let end = rest.firstIndex(of: 10) {
      let size = Int(String(decoding: rest[..<(end - 1)], as: UTF8.self), radix: 16) ?? 0
      if size == 0 { return (result, true) }
      result += rest[(end + 1)..<(end + 1 + size)]
      rest = rest[(end + 3 + size)...]
    }
    return (result, false)
  }

  @Test("Comments and the end of a drained stream of events are compressed too")
  func eventsAreKeptAliveAndDrained() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    let source = PushStream<ServerSentEvent>()
    server.use(.gzip())
    server.get("/") { _ in source.stream }
    try server.listen(.tcp("server", port: 80))
    var bytes: [UInt8] = []
    var kept: Connection?
    Connection.connect(to: .tcp("server", port: 80), on: network).observe(
      succeeded: { connection in
        kept = connection
        connection.bytes.observe(next: { bytes += $0 }, failed: { _ in })
        _ = connection.write("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(by: .seconds(1))
    source.next(ServerSentEvent("hello"))
    scheduler.advance(by: .seconds(20))
    server.close(within: .seconds(10)).observe(completed: {})
    scheduler.advance(by: .seconds(5))
    let end = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) })
    let body = unchunked(Array(bytes[(end + 4)...]))
    #expect(body.isComplete)
    #expect(try inflate(body.bytes) == Array("data: hello\n\n:\n\n".utf8))
    withExtendedLifetime(kept) {}
  }

  // MARK: - Requests

  private func post(
    _ body: HTTPBody, encoding: String?, atMost limit: Int = 1_000
  ) -> (response: HTTPResponse, body: [UInt8]) {
    var request = HTTPRequest(.post, "/", body: body)
    request.headers["Content-Encoding"] = encoding
    return respond(to: request) { server in
      server.use(.gunzip(atMost: limit))
      server.post("/") { request in
        request.body.text().map { "\($0) \(request.headers.contains("Content-Encoding"))" }
      }
    }
  }

  private func gzip(_ text: String) -> [UInt8] {
    let deflater = Deflater()
    return deflater.compress(Array(text.utf8)) + deflater.finish()
  }

  @Test func requestsAreDecompressed() {
    #expect(post("a", encoding: nil).body == Array("a false".utf8))
    #expect(post(HTTPBody(gzip("abc")), encoding: "gzip").body == Array("abc false".utf8))
    let pieces = EventStream<[UInt8], Never>.sequence(gzip("abc").map { [$0] })
    #expect(post(HTTPBody(pieces), encoding: "X-Gzip").body == Array("abc false".utf8))
    #expect(post(.empty, encoding: "gzip").body == Array(" false".utf8))
  }

  @Test func bombsAndInvalidBodiesAreRefused() {
    let full = String(repeating: "a", count: 1_000)
    #expect(post(HTTPBody(gzip(full)), encoding: "gzip").response.status == .ok)
    #expect(post(HTTPBody(gzip(full + "a")), encoding: "gzip").response.status == .contentTooLarge)
    let bomb = String(repeating: "a", count: 10_000_000)
    #expect(post(HTTPBody(gzip(bomb)), encoding: "gzip").response.status == .contentTooLarge)
    #expect(post("plain", encoding: "gzip").response.status == .badRequest)
    let truncated = HTTPBody(Array(gzip("abc").dropLast()))
    #expect(post(truncated, encoding: "gzip").response.status == .badRequest)
    for encoding in ["br", "gzip, gzip", "deflate"] {
      let response = post("a", encoding: encoding).response
      #expect(response.status == .unsupportedMediaType)
      #expect(response.headers["Accept-Encoding"] == "gzip")
    }
  }

  @Test("Parts without contents end after 256 KiB, also if they never end")
  func endlessEmptyPartsAreRefused() {
    let empty = gzip("")
    let piece = Array((0..<1_000).map { _ in empty }.joined())
    var count = 0
    let pieces = EventStream<[UInt8], any Error> { observer in
      while observer.isActive && count < 1 << 24 {
        count += piece.count
        observer.next(piece)
      }
      observer.completed()
      return .none
    }
    let response = HTTPResponse(headers: ["Content-Encoding": "gzip"], body: HTTPBody(pieces))
    var error: (any Error)?
    response.gunzipped().body.bytes().observe(failed: { error = $0 })
    guard case .malformed = error as? HTTPBodyError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(count < 1 << 19)
    #expect(post(HTTPBody(pieces), encoding: "gzip").response.status == .badRequest)
  }

  @Test func smallPartsAreDecompressed() {
    let part = gzip("a")
    let parts = Array((0..<30_000).map { _ in part }.joined())
    #expect(parts.count > 1 << 18)
    let response = HTTPResponse(headers: ["Content-Encoding": "gzip"], body: HTTPBody(parts))
    var count = 0
    response.gunzipped().body.bytes().observe(
      succeeded: { count = $0.count }, failed: { Issue.record("\($0)") })
    #expect(count == 30_000)
  }

  @Test func observersMayStopInTheMiddle() {
    let body = HTTPBody(gzip(String(repeating: "a", count: 500_000)))
    let response = HTTPResponse(headers: ["Content-Encoding": "gzip"], body: body).gunzipped()
    var counts: [Int] = []
    response.body.stream.take(1).observe(next: { counts.append($0.count) }, failed: { _ in })
    #expect(counts == [1 << 16])
  }

  @Test func responsesAreDecompressed() throws {
    let encoded = HTTPResponse(
      headers: ["Content-Encoding": "gzip", "Content-Length": "30"], body: HTTPBody(gzip("abc")))
    let plain = encoded.gunzipped()
    #expect(plain.headers.isEmpty)
    var text = ""
    plain.body.text().observe(succeeded: { text = $0 }, failed: { _ in })
    #expect(text == "abc")
    var error: (any Error)?
    encoded.gunzipped(atMost: 2).body.text().observe(
      succeeded: { _ in }, failed: { error = $0 })
    #expect(error as? HTTPBodyError == .tooLarge(limit: 2))
    var other = encoded
    other.headers["Content-Encoding"] = "br"
    #expect(other.gunzipped().headers == other.headers)
  }

  @Test func clientAsksForGzipAndDecompresses() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    var accepted: [String?] = []
    let server = HTTPServer(on: network)
    server.use { request, next in
      accepted.append(request.headers["Accept-Encoding"])
      return next(request)
    }
    server.use(.gzip())
    server.get("/") { _ in Self.text }
    try server.listen(.tcp("server", port: 80))
    let client = HTTPClient(on: network)
    client.acceptGzip(atMost: 10_000)
    var texts: [String] = []
    for coding in [nil, "identity", "gzip"] {
      var request = HTTPRequest(.get, "http://server/")
      request.headers["Accept-Encoding"] = coding
      client.response(request).bytes().observe(
        succeeded: { texts.append(String(decoding: $0, as: UTF8.self)) },
        failed: { Issue.record("\($0)") })
      scheduler.advance(by: .seconds(1))
    }
    #expect(accepted == ["gzip", "identity", "gzip"])
    #expect(texts.count == 3 && texts[0] == Self.text && texts[1] == Self.text)
    // The program has asked for gzip itself, and so decompresses the body itself.
    #expect(texts.last != Self.text)
    client.acceptGzip(atMost: 100)
    var error: HTTPClientError?
    client.get("http://server/").text().observe(
      succeeded: { _ in Issue.record("It is too large.") }, failed: { error = $0 })
    scheduler.advance(by: .seconds(1))
    guard case .responseBody(.tooLarge(limit: 100)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Parts, events and requests with a coding of their own are not asked for in gzip")
  func unsuitableRequestsAreLeftAlone() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    var accepted: [String?] = []
    let server = HTTPServer(on: network)
    server.use { request, next in
      accepted.append(request.headers["Accept-Encoding"])
      return next(request)
    }
    server.get("/") { _ in Self.text }
    server.get("/events") { _ -> EventStream<ServerSentEvent, Never> in .just(ServerSentEvent("a"))
    }
    try server.listen(.tcp("server", port: 80))
    let client = HTTPClient(on: network)
    client.acceptGzip()
    func get(_ headers: HTTPHeaders = [:]) {
      client.response(HTTPRequest(.get, "http://server/", headers: headers)).observe(
        failed: { Issue.record("\($0)") })
      scheduler.advance(by: .seconds(1))
    }
    get()
    get(["range": "bytes=0-1"])
    client.headers = ["Range": "bytes=0-1"]
    get()
    client.headers = ["accept-encoding": "br"]
    get()
    client.headers = [:]
    let observation = client.events("http://server/events").observe(failed: { _ in })
    scheduler.advance(by: .milliseconds(100))
    observation.dispose()
    #expect(accepted == ["gzip", nil, nil, "br", nil])
    let part = HTTPResponse(
      .partialContent, headers: ["Content-Encoding": "gzip"], body: HTTPBody(gzip("abc")))
    #expect(part.gunzipped().headers["Content-Encoding"] == "gzip")
  }
}
