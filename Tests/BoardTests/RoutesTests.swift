import Dispatch
import Glibc
import RunnelLoop
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import TestSupport
import Testing

@testable import Board

/// The routes, without connections.
@Suite struct RoutesTests {
  /// The part of a response that tests compare.
  private struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let text: String
  }

  /// Returns the response of a board to a request.
  private func answer(
    to request: @escaping @Sendable () -> HTTPRequest, of board: BoardFixture,
    _ configuration: Configuration = Configuration(), isDraining: Bool = false,
    upTo end: String = ""
  ) -> Answer {
    let answers = EventLog<Answer>()
    let loop = board.loop
    let kept = Confined<HTTPServer?>(nil)
    board.use { board in
      let server = HTTPServer(on: loop)
      kept.value = server
      let settings = Settings(configuration)
      settings.apply(configuration, to: board, server)
      let (metrics, health) = (Metrics(), Health())
      metrics.add(board)
      health.isDraining = isDraining
      Routes(board, settings, health).add(to: server, metrics)
      server.test(request()).observe(succeeded: { response in
        // A body that is a stream of events does not end.
        if response.body.count == nil {
          response.body.stream.scan("") { $0 + String(decoding: $1, as: UTF8.self) }
            .filter { $0.contains(end) || end.isEmpty }.take(1).observe(
              next: { text in
                answers.add(
                  Answer(status: response.status.code, headers: response.headers, text: text))
              }, failed: { Issue.record("\($0)") })
        } else {
          response.body.text().observe(
            succeeded: {
              answers.add(
                Answer(status: response.status.code, headers: response.headers, text: $0))
            }, failed: { Issue.record("\($0)") })
        }
      })
    }
    let answer = answers.wait(for: 1)[0]
    loop.wait { kept.value = nil }
    return answer
  }

  private static func post(
    _ text: String, _ headers: HTTPHeaders = HTTPHeaders(), to topic: String = "kitchen"
  ) -> HTTPRequest {
    var headers = headers
    if headers["Host"] == nil { headers["Host"] = "localhost" }
    return HTTPRequest(.post, "/topics/\(topic)", headers: headers, body: HTTPBody(text))
  }

  @Test func textsAndObjectsArePublished() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let first = answer(to: { Self.post("Tea!") }, of: board)
      #expect(first.status == 201 && first.text == #"{"id":1}"#)
      #expect(first.headers["Location"] == "/topics/kitchen?after=0")
      let object = answer(
        to: { Self.post(#"{"text":"a\nb"}"#, ["Content-Type": "application/json"]) }, of: board)
      #expect(object.text == #"{"id":2}"#)
      let list = answer(to: { HTTPRequest(.get, "/topics") }, of: board)
      #expect(list.text.contains(#""name":"kitchen""#) && list.text.contains(#""posts":2"#))
    }
  }

  @Test(arguments: [
    ("", "text/plain", "kitchen", 400), ("a\u{1B}", "text/plain", "kitchen", 400),
    (#"{"txet":"a"}"#, "application/json", "kitchen", 400),
    ("{", "application/json", "kitchen", 400),
    ("123456789", "text/plain", "kitchen", 413), ("a", "text/plain", "a%20b", 400),
    ("a", "text/plain", "a%2Fb", 400), ("a", "text/plain", "", 404),
  ])
  func unsuitablePostsAreRefused(_ text: String, _ type: String, _ topic: String, _ status: Int)
    async throws
  {
    let folder = TemporaryFolder()
    var configuration = Configuration()
    configuration.limits.postSize = 8
    try await onLoop { [configuration] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let refusal = answer(
        to: { Self.post(text, ["Content-Type": type], to: topic) }, of: board, configuration)
      #expect(refusal.status == status && !refusal.text.isEmpty)
      #expect(board.use { $0.postCount } == 0)
    }
  }

  @Test func writingNeedsAToken() async throws {
    let folder = TemporaryFolder()
    var configuration = Configuration()
    configuration.tokens = ["first-token", "second-token"]
    try await onLoop { [configuration] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      for (value, status) in [
        (nil, 401), ("Bearer wrong-token", 401), ("Basic first-token", 401),
        ("Bearer first-token", 201), ("Bearer second-token", 201),
      ] as [(String?, Int)] {
        let answer = answer(
          to: {
            var headers = HTTPHeaders()
            headers["Authorization"] = value
            return Self.post("a", headers)
          }, of: board, configuration)
        #expect(answer.status == status)
        #expect((answer.headers["WWW-Authenticate"] != nil) == (status == 401))
      }
      let reading = answer(to: { HTTPRequest(.get, "/topics") }, of: board, configuration)
      #expect(reading.status == 200)
    }
  }

  @Test(arguments: [("http://evil.example", 403), ("http://board:80", 201), ("null", 403)])
  func foreignPagesCannotWrite(_ origin: String, _ status: Int) async throws {
    let folder = TemporaryFolder()
    var configuration = Configuration()
    configuration.hosts = ["board"]
    try await onLoop { [configuration] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let answer = answer(
        to: { Self.post("a", ["Host": "board:80", "Origin": origin]) }, of: board,
        configuration)
      #expect(answer.status == status)
    }
  }

  @Test("Without tokens, a post to an unknown name is refused, which DNS could lead here")
  func unknownHostIsRefused() async throws {
    let folder = TemporaryFolder()
    var configuration = Configuration()
    configuration.hosts = ["board.example"]
    try await onLoop { [configuration] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      for (host, status) in [
        ("evil.example", 403), ("evil.example:8080", 403), ("127.0.0.1.evil.example", 403),
        ("localhost:8080", 201), ("127.0.0.1:8080", 201), ("[::1]:8080", 201), ("[::1]", 201),
        ("Board.example:80", 201),
      ] {
        let headers: HTTPHeaders = ["Host": host, "Origin": "http://\(host)"]
        let answer = answer(to: { Self.post("a", headers) }, of: board, configuration)
        #expect(answer.status == status, "\(host)")
      }
      var secured = configuration
      secured.tokens = ["first-token"]
      let headers: HTTPHeaders = ["Host": "b", "Authorization": "Bearer first-token"]
      #expect(answer(to: { Self.post("a", headers) }, of: board, secured).status == 201)
    }
  }

  @Test(arguments: [
    ("/topics/kitchen", nil, "0"), ("/topics/kitchen", "2", "2"),
    ("/topics/kitchen?after=1", nil, "1"), ("/topics/kitchen?after=1", "2", "2"),
    ("/topics/kitchen?last=1", nil, "2"), ("/topics/kitchen?last=9", nil, "0"),
    ("/topics/kitchen?last=0", nil, "3"), ("/topics/none", nil, "0"),
  ])
  func eventsBeginAfterTheLastOne(_ target: String, _ lastID: String?, _ start: String)
    async throws
  {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.publish(["one", "two", "three"])
      let answer = answer(
        to: {
          var headers = HTTPHeaders()
          headers["Last-Event-ID"] = lastID
          return HTTPRequest(.get, target, headers: headers)
        }, of: board)
      #expect(answer.headers["Content-Type"] == "text/event-stream")
      #expect(answer.text.hasPrefix("id: \(start)\nretry: 1000\n\n"))
    }
  }

  @Test("One stream brings the posts of several topics and the changes of all")
  func topicsAreFollowedTogether() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.publish(["one", "two"])
      board.publish(["three", "four"], in: "hall")
      let target = "/topics?follow=kitchen:1&follow=hall:-1&follow=none:0"
      let accept: HTTPHeaders = ["Accept": "text/event-stream"]
      let read = answer(
        to: { HTTPRequest(.get, target, headers: accept) }, of: board, upTo: #""name":"hall""#)
      #expect(read.text.contains(#"data: {"topic":"kitchen","text":"two","time":1000}"#))
      #expect(read.text.contains(#"data: {"topic":"hall","text":"four","time":1000}"#))
      #expect(!read.text.contains("three") && !read.text.contains("one"))
      // A name that no topic can have does not end the stream of the others.
      let odd = answer(
        to: { HTTPRequest(.get, "/topics?follow=a%20b:0&follow=kitchen:1", headers: accept) },
        of: board, upTo: "two")
      #expect(odd.status == 200)
      for wrong in ["kitchen", "kitchen:", "kitchen:x", "a:9999999999999999999999"] {
        let target = "/topics?follow=\(wrong)"
        #expect(answer(to: { HTTPRequest(.get, target, headers: accept) }, of: board).status == 400)
      }
      let many = "/topics?" + (0...100).map { "follow=a\($0):0" }.joined(separator: "&")
      #expect(answer(to: { HTTPRequest(.get, many, headers: accept) }, of: board).status == 400)
      let oldest = "/topics?follow=kitchen:\(Int.min)"
      #expect(
        answer(to: { HTTPRequest(.get, oldest, headers: accept) }, of: board, upTo: "one").status
          == 200)
    }
  }

  @Test func pageHasAPolicy() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      for path in ["/", "/board.css", "/board.js", "/stream.js"] {
        let answer = answer(to: { HTTPRequest(.get, path) }, of: board)
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(!answer.text.contains("onclick") && !answer.text.contains("style="))
      }
    }
  }

  @Test func metricsAndHealthAreShown() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.publish(["one"])
      let metrics = answer(to: { HTTPRequest(.get, "/metrics") }, of: board)
      let lines = metrics.text.split(separator: "\n").filter { !$0.hasPrefix("# ") }
      let expected: Set<String> = ["board_damaged_lines 0", "board_posts 1", "board_topics 1"]
      #expect(expected.isSubset(of: lines.map { String($0) }))
      #expect(lines.allSatisfy { $0.hasPrefix("board_") && $0.split(separator: " ").count == 2 })
      #expect(answer(to: { HTTPRequest(.get, "/health") }, of: board).status == 200)
      let draining = answer(to: { HTTPRequest(.get, "/health") }, of: board, isDraining: true)
      #expect(draining.status == 503 && draining.text == "draining\n")
    }
  }
}

/// The line protocol.
@Suite struct LineSessionTests {
  @Test("Lines that come faster than posts are stored wait, and then their source")
  func linesWait() async throws {
    let folder = TemporaryFolder()
    let isSlow = Confined(false)
    let disk = DispatchSemaphore(value: 0)
    var calls = DiskCalls()
    calls.synchronize = { file in
      if isSlow.value { disk.wait() }
      return fdatasync(file)
    }
    try await onLoop { [calls] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], calls: calls)
      isSlow.value = true
      let answers = EventLog<String>()
      let sent = Confined(0)
      board.use { board in
        let lines = EventStream<String, Never>.pulled {
          guard sent.value < 3_000 else { return nil }
          sent.value += 100
          return .sequence((sent.value - 99...sent.value).map { "PUB a \($0)" })
        }
        let session = LineSession(board) { _ in true }
        _ = session.answers(to: lines).observe(next: { answers.add($0) })
      }
      for _ in 0..<100 { loop.wait {} }
      #expect(loop.wait { sent.value } < 1_000)
      isSlow.value = false
      disk.signal()
      #expect(answers.wait(for: 3_000) == (1...3_000).map { "OK PUB \($0)" })
    }
  }

  @Test("A subscription that waits when the client ends does not keep the session open")
  func subscriptionWaitsAtTheEnd() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let answers = EventLog<String>()
      board.use { board in
        let lines = (1...500).map { "PUB a \($0)" } + ["SUB b"]
        _ = LineSession(board) { _ in true }.answers(to: .sequence(lines)).observe(
          next: { answers.add($0) }, completed: { answers.add("end") })
      }
      #expect(answers.wait(for: 502).last == "end")
      #expect(board.use { $0.subscriberCount } == 0)
    }
  }

  @Test func linesAreAnswered() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.publish(["old\npost"])
      let answers = EventLog<String>()
      let input = Confined<PushStream<String>?>(nil)
      let valid = Confined("secret")
      func send(_ line: String, answers count: Int) -> [String] {
        let before = answers.count
        loop.wait { input.value?.next(line) }
        return Array(answers.wait(for: before + count)[before...])
      }
      board.use { board in
        let lines = PushStream<String>()
        input.value = lines
        let session = LineSession(board) { $0 == valid.value }
        _ = session.answers(to: lines.stream).observe(
          next: { answers.add($0) }, completed: { answers.add("end") })
      }
      #expect(send("PUB kitchen a", answers: 1) == ["ERROR Send AUTH with a token first."])
      #expect(send("AUTH wrong", answers: 1) == ["ERROR The token is not valid."])
      #expect(send("AUTH secret", answers: 1) == ["OK AUTH"])
      #expect(send("SUB hall", answers: 1) == ["OK SUB hall"])
      #expect(
        send("SUB kitchen 0", answers: 2) == ["OK SUB kitchen", "POST kitchen 1 old\\npost"])
      #expect(send("SUB kitchen", answers: 1)[0].hasPrefix("ERROR The topic is subscribed"))
      #expect(
        Set(send("PUB hall two\\nlines", answers: 2)) == ["OK PUB 2", "POST hall 2 two\\nlines"])
      for line in ["", "SUB", "PUB kitchen", "SUB a b", "SUB a/b", "QUIT"] {
        #expect(send(line, answers: 1)[0].hasPrefix("ERROR "))
      }
      #expect(send("PUB kitchen \u{301}", answers: 2).contains("POST kitchen 3 \u{301}"))
      // A token that was removed from the configuration does not write any more.
      loop.wait { valid.value = "other" }
      #expect(send("PUB hall a", answers: 1) == ["ERROR Send AUTH with a token first."])
      for _ in 1...4 { #expect(send("AUTH wrong", answers: 1)[0].hasPrefix("ERROR ")) }
      // After five wrong tokens, no other one is compared.
      #expect(send("AUTH other", answers: 1)[0].hasPrefix("ERROR "))
      loop.wait { valid.value = "secret" }
      // The last post before the end is answered. Subscriptions end.
      let before = answers.count
      loop.wait {
        input.value?.next("PUB hall last")
        input.value?.completed()
      }
      #expect(Array(answers.wait(for: before + 2)[before...]) == ["OK PUB 4", "end"])
      #expect(board.use { $0.subscriberCount } == 0)
    }
  }
}
