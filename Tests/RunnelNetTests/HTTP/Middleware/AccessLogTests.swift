import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct AccessLogTests {
  /// A server with a log on a test network, and its client.
  private final class Stage {
    let pair: Pair
    var lines: [String] = []
    var received: [UInt8] = []

    init(
      _ format: HTTPAccessFormat = .common, reads: Bool = true, _ setUp: (HTTPServer) -> Void
    ) throws {
      pair = try Pair()
      let server = HTTPServer(on: pair.network)
      server.logAccess(format, now: { .milliseconds(784_111_777_042) }) { [unowned self] in
        lines.append($0)
      }
      setUp(server)
      server.serve(pair.far)
      if reads {
        pair.near.bytes.observe(next: { [unowned self] in received += $0 }, failed: { _ in })
      }
    }

    func send(_ line: String, _ fields: String = "") {
      _ = pair.near.write("\(line)\r\nHost: a\r\n\(fields)\r\n")
      pair.scheduler.advance(by: .milliseconds(1))
    }
  }

  @Test func requestsAndFailedHandlersAreEntriesOfALog() throws {
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    server.logAccess(to: Log("access"))
    server.get("/text") { _ in "hello" }
    server.get("/fails") { _ -> String in throw SocketError(.read, "a", .refused) }
    server.serve(pair.far)
    let recorder = LogRecorder {
      for path in ["text?a=b", "fails"] {
        _ = pair.near.write("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        pair.scheduler.advance(by: .milliseconds(1))
      }
    }
    #expect(recorder.messages == ["Request.", "A handler failed.", "Request."])
    #expect(recorder.entries.map(\.name) == ["access", "runnel.net", "access"])
    let entry = try #require(recorder.entries.first)
    #expect(entry["status"] as? Int == 200 && entry["bytes"] as? Int == 5)
    #expect(entry["target"] as? String == "/text?a=b")
    #expect(recorder.entries[1]["path"] as? Substring == "/fails")
    #expect(recorder.entries[1]["error"] is SocketError)
    #expect(recorder.entries[2]["status"] as? Int == 500)
  }

  @Test func watchedRequestsHaveValuesOfMiddleware() throws {
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    server.use { [weak server] request, next in
      var request = request
      request[String.self] = server?.route(of: request) ?? "none"
      return next(request)
    }
    var seen: [String] = []
    server.watchResponses { access in
      seen.append("\(access.request[String.self] ?? "") \(access.status?.code ?? 499)")
    }
    server.get("/notes/:id") { request in request[String.self] ?? "" }
    server.serve(pair.far)
    for line in ["GET /notes/7?a=b", "POST /notes/7", "GET /other"] {
      _ = pair.near.write("\(line) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      pair.scheduler.advance(by: .milliseconds(1))
    }
    #expect(seen == ["/notes/:id 200", "none 405", "none 404"])
  }

  private static let stamp = "[06/Nov/1994:08:49:37 +0000]"

  @Test func responsesOfAllKindsAreLogged() throws {
    let stage = try Stage { server in
      server.get("/text") { _ in "hello" }
      server.get("/large") { _ in [UInt8](repeating: 1, count: 10_000) }
      server.get("/stream") { _ in EventStream<String, Never>.sequence(["ab", "cde"]) }
      server.get("/later") { _ in Single<String, Never>.just("later") }
      server.get("/fails") { _ in Single<String, HTTPError>.failed(HTTPError(418, "x")) }
      server.get("/throws") { _ -> String in throw HTTPError(.conflict, "xy") }
      server.get("/none") { _ in HTTPStatus.noContent }
    }
    for (path, result) in [
      ("text", "200 5"), ("large", "200 10000"), ("stream", "200 5"), ("later", "200 5"),
      ("fails", "418 2"), ("throws", "409 3"), ("none", "204 -"), ("missing", "404 14"),
      ("text?q=%20", "200 5"),
    ] {
      stage.send("GET /\(path) HTTP/1.1")
      #expect(stage.lines.count == 1)
      let end = " - - \(Self.stamp) \"GET /\(path) HTTP/1.1\" \(result)"
      #expect(stage.lines.first?.hasSuffix(end) == true)
      stage.lines = []
    }
    stage.send("HEAD /text HTTP/1.0")
    #expect(stage.lines.first?.hasSuffix("\"HEAD /text HTTP/1.0\" 200 -") == true)
  }

  @Test("A line of a response comes when its last byte is written")
  func linesWaitForTheBytes() throws {
    let scheduler = Confined<TestScheduler?>(nil)
    let format = HTTPAccessFormat { "\($0.count) \($0.duration) \($0.isComplete)" }
    let stage = try Stage(format) { server in
      server.get("/") { _ in
        EventStream<String, Never> { observer in
          observer.next("a")
          return scheduler.value!.schedule(after: .seconds(2)) {
            observer.next("b")
            observer.completed()
          }
        }
      }
    }
    scheduler.value = stage.pair.scheduler
    stage.send("GET / HTTP/1.1")
    stage.pair.scheduler.advance(by: .milliseconds(1_500))
    #expect(stage.lines.isEmpty)
    stage.pair.scheduler.advance(by: .seconds(1))
    #expect(stage.lines == ["2 2.0 seconds true"])
  }

  @Test func clientThatGoesAwayIsLoggedOnce() throws {
    for (path, expected) in [("/never", "nil 0 false"), ("/endless", "200 3 false")] {
      let stage = try Stage(
        HTTPAccessFormat { access in
          "\(access.status.map { "\($0.code)" } ?? "nil") \(access.count) \(access.isComplete)"
        }
      ) { server in
        server.get("/never") { _ in Single<String, Never>(trusting: .never) }
        server.get("/endless") { _ in
          EventStream<String, Never> { observer in
            observer.next("abc")
            return .none
          }
        }
      }
      stage.send("GET \(path) HTTP/1.1")
      #expect(stage.lines.isEmpty)
      stage.pair.near.close()
      stage.pair.scheduler.advance(by: .seconds(1))
      #expect(stage.lines == [expected])
    }
  }

  @Test func unwrittenBytesAreNotCounted() throws {
    let format = HTTPAccessFormat { "\($0.count) \($0.isComplete)" }
    let stage = try Stage(format, reads: false) { server in
      server.get("/") { _ in [UInt8](repeating: 1, count: 1 << 20) }
    }
    stage.send("GET / HTTP/1.1")
    #expect(stage.lines.isEmpty)
    stage.pair.near.reset()
    stage.pair.scheduler.advance(by: .seconds(1))
    let count = try #require(Int(stage.lines.first?.split(separator: " ").first ?? ""))
    #expect(count > 0 && count < 1 << 20 && stage.lines == ["\(count) false"])
  }

  @Test func textsOfTheClientAreEscaped() throws {
    let request = HTTPRequest(
      "/\"\\\n\r\u{1B}é\u{7F}\u{9B}", [("Referer", "a\" \"b"), ("User-Agent", "\u{7}ü\\")])
    let access = HTTPAccess(
      request: request, time: .zero, status: nil, count: 7, duration: .microseconds(1_000_042),
      isComplete: false)
    let line =
      "- - - [01/Jan/1970:00:00:00 +0000] \"GET /\\\"\\\\\\x0a\\x0d\\x1b\\xc3\\xa9\\x7f\\xc2\\x9b HTTP/1.1\" 499 7"
    #expect(HTTPAccessFormat.common.line(access) == line)
    #expect(
      HTTPAccessFormat.combined.line(access) == line + " \"a\\\" \\\"b\" \" \\xc3\\xbc\\\\\"")
    #expect(
      HTTPAccessFormat.json.line(access) == """
        {"time":"1970-01-01T00:00:00.000Z","peer":"-","method":"GET",\
        "target":"/\\"\\\\\\u000a\\u000d\\u001bé\\u007f\\u009b","version":"1.1","status":null,"bytes":7,\
        "duration":1.000042,"complete":false,"referer":"a\\" \\"b","userAgent":" ü\\\\"}
        """)
  }

  @Test func objectsHaveTimeAndDuration() throws {
    let stage = try Stage(.json) { $0.get("/") { _ in "hello" } }
    stage.send("GET / HTTP/1.1", "User-Agent: test\r\n")
    let line = try #require(stage.lines.first)
    #expect(line.hasPrefix("{\"time\":\"1994-11-06T08:49:37.042Z\",\"peer\":\""))
    #expect(
      line.hasSuffix(
        "\"status\":200,\"bytes\":5,\"duration\":0.000000,\"complete\":true,\"userAgent\":\"test\"}"
      ))
  }

  @Test func curlIsLoggedWithItsAddress() async {
    await withLoop { loop in
      let lines = EventLog<String>()
      let folder = TemporaryFolder()
      folder.write("a.txt", String(repeating: "x", count: 300_000))
      let fixture = HTTPFixture(on: loop) { server in
        server.logAccess(.combined) { lines.add($0) }
        server.files("/", in: folder.path)
      }
      _ = shell("curl -s --max-time 20 -A agent -o /dev/null \(fixture.url("/a.txt"))")
      // The client has its bytes before the server knows that they are written.
      let line = lines.wait(for: 1)[0]
      #expect(lines.count == 1 && line.hasPrefix("127.0.0.1 - - ["))
      #expect(line.hasSuffix("\"GET /a.txt HTTP/1.1\" 200 300000 \"-\" \"agent\""))
    }
  }
}
