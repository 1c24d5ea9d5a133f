import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The server with real sockets and real clients.
@Suite struct ServerPeerTests {
  @Test func curlIsServed() async {
    await withLoop { loop in
      let server = HTTPFixture(on: loop) { server in
        server.get("/hello/:name") { "Hello, \($0["name"])!" }
        server.post("/echo") { HTTPBody($0.body.stream) }
        server.get("/numbers") { _ in
          EventStream<Int, Never>.sequence(0..<1_000).map { "\($0)\n" }
        }
      }
      #expect(shell("curl -s '\(server.url("/hello/Jim"))'") == "Hello, Jim!")
      let numbers = (0..<1_000).map { "\($0)\n" }.joined()
      #expect(shell("curl -s '\(server.url("/numbers"))'") == numbers)
      #expect(shell("curl -s --http1.0 '\(server.url("/numbers"))'") == numbers)
      // A body of chunks, and one after "100 Continue".
      let echo = "curl -s '\(server.url("/echo"))' -H 'Content-Type: text/plain'"
      #expect(shell("echo hi | \(echo) -T - -X POST") == "hi\n")
      #expect(
        shell(
          "head -c 500000 /dev/zero | tr '\\0' a | \(echo) --data-binary @- -H 'Expect: 100-continue' | wc -c"
        )
        .contains("500000"))
      #expect(shell("curl -sI '\(server.url("/hello/x"))' | head -1") == "HTTP/1.1 200 OK\r\n")
      #expect(
        shell("curl -s '\(server.url("/hello/[a-c]"))'") == "Hello, a!Hello, b!Hello, c!")
    }
  }

  @Test("A reset disposes the handler's stream, also with pipelined bytes in the socket")
  func resetDisposesTheStream() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = HTTPFixture(on: loop) { server in
        server.get("/") { _ in
          EventStream<ServerSentEvent, Never>.never
            .do(observed: { log.add("observed") }, disposed: { log.add("disposed") })
        }
      }
      let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
      for (text, resets) in [
        (request, true), (request, false), (request + request, true), (request + request, false),
      ] {
        let peer = server.connect()
        let before = log.count
        peer.send(text)
        log.wait(for: before + 1)
        if resets { peer.reset() } else { peer.close() }
        #expect(log.wait(for: before + 2).suffix(2) == ["observed", "disposed"])
      }
      while server.use({ $0.connectionCount }) > 0 {}
    }
  }

  @Test func asyncHandlersRunOnTheLoop() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = HTTPFixture(on: loop) { server in
        server.put("/") { _ async in "put" }
        server.patch("/") { _ async in "patch" }
        server.delete("/") { _ async in "delete" }
        server.post("/") { request async throws in
          let isHome = loop.isCurrent
          let text = try await request.body.text().value() ?? ""
          return "\(text) \(isHome) \(loop.isCurrent)"
        }
        server.get("/created") { _ async throws in
          await Task.yield()
          return HTTPResponse(.created, text: "made\n")
        }
        server.on(.get, "/error") { _ async throws -> String in throw HTTPError(.conflict, "no") }
        server.on(.get, "/slow") { _ async throws -> String in
          log.add("began")
          while !Task.isCancelled { await Task.yield() }
          log.add("cancelled")
          return ""
        }
      }
      #expect(shell("curl -s --data-binary abc '\(server.url("/"))'") == "abc true true")
      for method in ["put", "patch", "delete"] {
        #expect(shell("curl -s -X \(method.uppercased()) '\(server.url("/"))'") == method)
      }
      #expect(shell("curl -s '\(server.url("/error"))'") == "no\n")
      #expect(shell("curl -s -w '%{http_code}' '\(server.url("/created"))'") == "made\n201")
      let peer = server.connect()
      peer.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      log.wait(for: 1)
      peer.close()
      #expect(log.wait(for: 2) == ["began", "cancelled"])
    }
  }

  @Test("A client that reads nothing is reset when too much waits for it")
  func unreadEventsResetTheClient() async {
    await withLoop { loop in
      let events = Confined(PushStream<ServerSentEvent>())
      let log = EventLog<String>()
      let server = HTTPFixture(on: loop) { server in
        server.get("/") { _ in
          events.value.stream.do(
            observed: { log.add("observed") }, disposed: { log.add("disposed") })
        }
      }
      let peer = server.connect(receiveBuffer: 4_096)
      peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      log.wait(for: 1)
      let event = ServerSentEvent(String(repeating: "a", count: 10_000))
      var count = 0
      while log.count < 2 {
        loop.wait { events.value.next(event) }
        count += 1
        guard count < 10_000 else { break }
      }
      // Some hundred KiB in the writer, and what the system holds.
      #expect(log.count == 2 && count < 2_000)
    }
  }

  @Test("A write that finds a reset runs closures that write to other clients")
  func resetInAWriteMayWriteToOthers() async {
    await withLoop { loop in
      let events = Confined(PushStream<String>())
      let left = Confined(PushStream<String>())
      let log = EventLog<String>()
      let server = HTTPFixture(on: loop) { server in
        server.get("/") { _ in
          events.value.stream.do(
            observed: { log.add("observed") }, disposed: { left.value.next("one has left") })
        }
        server.get("/left") { _ in left.value.stream.do(observed: { log.add("observed") }) }
      }
      let witness = server.connect()
      witness.send("GET /left HTTP/1.1\r\nHost: a\r\n\r\n")
      log.wait(for: 1)
      for round in 0..<20 {
        let peer = server.connect()
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        log.wait(for: round + 2)
        // The loop cannot see the reset before it writes.
        loop.wait {
          peer.reset()
          events.value.next(String(repeating: "a", count: 100_000))
        }
      }
      var text = ""
      while text.utf8.split(separator: UInt8(ascii: "o")).count <= 20 {
        text += String(decoding: witness.receive(), as: UTF8.self)
      }
      while server.use({ $0.connectionCount }) > 1 {}
      #expect(text.hasSuffix("c\r\none has left\r\n"))
    }
  }

  @Test("A flood of pipelined requests is answered, and does not occupy the loop")
  func floodIsAnsweredInParts() async {
    await withLoop { loop in
      let turns = EventLog<UInt64>()
      let server = HTTPFixture(on: loop) { server in
        server.get("/") { _ in
          turns.add(UInt64(loop.statistics.turns))
          return ""
        }
      }
      let peer = server.connect()
      peer.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 2_000))
      let counts = Dictionary(grouping: turns.wait(for: 2_000), by: { $0 }).mapValues(\.count)
      #expect(counts.values.max() ?? 0 <= 64)
    }
  }

  @Test func groupServesOnAllLoops() async {
    await ManualContext.onThread { home in
      let group = LoopGroup(name: "http", count: 2)
      defer {
        group.stop()
        group.join()
      }
      guard
        let servers = try? group.serve(
          .tcp("127.0.0.1", port: 0),
          { loop in
            let server = HTTPServer(on: loop)
            server.get("/") { _ in loop.name }
            return server
          })
      else { fatalError("The group does not listen.") }
      var names: Set<String> = []
      var count = 0
      while names.count < 2 && count < 200 {
        names.insert(shell("curl -s 'http://\(servers.address)/'"))
        count += 1
      }
      #expect(names == ["http-1", "http-2"])
      var isClosed = false
      servers.close(within: .seconds(5)).observe(completed: { isClosed = true })
      #expect(home.run(until: { isClosed }))
    }
  }

  @Test("A drain under load loses no request")
  func drainLosesNothing() async {
    await withLoop { loop in
      let served = EventLog<Int>()
      let server = HTTPFixture(on: loop) { server in
        server.get("/:number") { request in
          served.add(1)
          return request["number"]
        }
      }
      // Each client sends until its connection ends, and counts unanswered requests.
      let lost = EventLog<Int>()
      let clients = (0..<4).map { number in
        startThread {
          while let peer = Peer(attempting: server.address) {
            var answered = 0
            while true {
              peer.send("GET /\(answered) HTTP/1.1\r\nHost: a\r\n\r\n")
              let text = String(decoding: peer.receive(), as: UTF8.self)
              if text.isEmpty {
                // The system may have accepted a connection that the server never saw.
                if answered > 0 { lost.add(number) }
                return
              }
              answered += 1
              if text.contains("Connection: close") { break }
            }
          }
        }
      }
      served.wait(for: 200)
      let done = EventLog<Int>()
      server.use { server in
        _ = server.close(within: .seconds(10)).observe(completed: { done.add(1) })
      }
      done.wait(for: 1)
      for client in clients { pthread_join(client, nil) }
      #expect(lost.count == 0)
    }
  }
}
