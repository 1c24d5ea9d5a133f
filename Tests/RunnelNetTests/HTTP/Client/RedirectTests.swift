import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct RedirectTests {
  /// Returns a redirect with a body.
  private func redirect(_ status: Int, _ location: String, body: String = "moved") -> String {
    "HTTP/1.1 \(status) \r\nLocation: \(location)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test(
    "The method and the body change by the rules of Fetch",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
      (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"),
      (301, "HEAD", "HEAD"), (303, "HEAD", "HEAD"), (303, "GET", "GET"),
    ])
  func methodsChange(status: Int, method: String, expected: String) throws {
    let isHead = method == "HEAD"
    let fixture = try ClientFixture { _, request in
      request == 0
        ? self.redirect(status, "/b?c", body: isHead ? "" : "moved") : ok(isHead ? "" : "end")
    }
    let hasBody = !isHead && method != "GET"
    fixture.exchange(
      HTTPRequest(
        HTTPMethod(rawValue: method), "http://server/a", headers: ["Content-Type": "text/plain"],
        body: hasBody ? "body" : .empty))
    fixture.advance()
    #expect(fixture.log == ["200 \(isHead ? "" : "end")"])
    #expect(fixture.received.count == 1)
    let parts = fixture.received[0].split(separator: "\(expected) /b?c HTTP/1.1\r\n")
    let second = String(parts.last ?? "")
    #expect(second.contains("body") == (expected == method && hasBody))
    #expect(second.contains("Content-Type") == (expected == method))
  }

  @Test func theSameOriginGetsSecrets() throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? self.redirect(302, "HTTP://SERVER:80/b") : ok("end")
    }
    fixture.exchange(
      HTTPRequest(.get, "http://server/a", headers: ["Authorization": "a", "Cookie": "b"]))
    fixture.advance()
    #expect(
      fixture.received[0].hasSuffix(
        "GET /b HTTP/1.1\r\nHost: server\r\nAuthorization: a\r\nCookie: b\r\n\r\n"))
  }

  @Test func anotherOriginGetsNoSecrets() throws {
    for target in ["http://other/b", "http://server:81/b"] {
      let fixture = try ClientFixture { connection, _ in
        connection == 0 ? self.redirect(307, target) : ok("end")
      }
      let other = try Listener(.tcp("*", port: 81), on: fixture.network)
      var received = ""
      other.connections.observeNext { connection in
        _ = connection.write(ok("other"))
        connection.bytes.observe(next: { received += String(decoding: $0, as: UTF8.self) })
      }
      fixture.exchange(
        HTTPRequest(
          .get, "http://server/a",
          headers: ["authorization": "secret", "COOKIE": "secret", "Host": "secret", "X": "public"])
      )
      fixture.advance()
      let second = received + fixture.received.dropFirst().joined()
      #expect(second.contains("GET /b"))
      #expect(second.contains("X: public"))
      #expect(!second.contains("secret"))
    }
  }

  @Test func limitsAreKept() throws {
    let fixture = try ClientFixture { _, request in self.redirect(302, "/\(request + 1)") }
    fixture.get("/0")
    fixture.advance()
    #expect(fixture.log == ["tooManyRedirects"])
    #expect(fixture.requestLines().count == 11)
    fixture.client.maximumRedirects = 0
    fixture.get("/0")
    fixture.advance()
    #expect(fixture.log.last == "302 moved")
  }

  @Test("A redirect without a location is the response")
  func noLocationIsTheResponse() throws {
    let fixture = try ClientFixture { _, _ in "HTTP/1.1 302 \r\nContent-Length: 1\r\n\r\na" }
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["302 a"])
  }

  @Test(arguments: [
    "/100%", "/a\\b?c", "http://a\\?b", "ftp://a/", "http://u@b/", "http://", "\\\\evil/",
    "javascript:1",
  ])
  func invalidLocationsAreRefused(location: String) throws {
    let fixture = try ClientFixture { _, _ in self.redirect(302, location) }
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["refusedRedirect \(location)"])
  }

  @Test(
    "The query of a location is followed as it is",
    arguments: [
      ("/?q=100%", "/?q=100%"), ("?a\\b|{}^`", "/a?a\\b|{}^`"), ("/b?\u{e9}", "/b?%C3%A9"),
      ("/b?\u{301}", "/b?%CC%81"), ("http://server/?%zz#%", "/?%zz"), ("/c#100%", "/c"),
    ])
  func queriesAreFollowed(location: String, target: String) throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? self.redirect(302, location) : ok("end")
    }
    fixture.get("/a")
    fixture.advance()
    #expect(fixture.log == ["200 end"])
    #expect(fixture.requestLines() == ["GET /a", "GET " + target])
  }

  @Test func foreignCharactersAreEncoded() throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? self.redirect(302, "/a b|\u{e9}?%20\"") : ok("")
    }
    fixture.get()
    fixture.advance()
    #expect(fixture.requestLines() == ["GET /", "GET /a%20b%7C%C3%A9?%20%22"])
  }

  @Test func aStreamIsNotSentAgain() throws {
    let fixture = try ClientFixture { _, request in self.redirect(307, "/b") }
    let pieces = EventStream<[UInt8], Never>.just(Array("a".utf8))
    fixture.exchange(HTTPRequest(.post, "http://server/", body: HTTPBody(pieces)))
    fixture.advance()
    #expect(fixture.log == ["refusedRedirect /b"])
  }

  @Test("The long body of a redirect closes its connection")
  func longBodiesAreNotRead() throws {
    let body = String(repeating: "a", count: 100_000)
    let fixture = try ClientFixture { connection, _ in
      connection == 0 ? self.redirect(302, "/b", body: body) : ok("end")
    }
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["200 end"])
    #expect(fixture.received.count == 2)
    #expect(fixture.openCount == 1)
  }

  @Test func secureRedirectsToHTTPAreRefused() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    server.get("/") { _ in HTTPResponse.redirect(to: "http://server:443/b") }
    server.get("/b") { _ in "b" }
    try server.listen(.tcp("server", port: 443))
    // The connection is not encrypted, but has the scheme https.
    let client = HTTPClient(on: network, secure: { connection, _ in .just(connection) })
    client.proxies = HTTPProxies()
    var log: [String] = []
    for allows in [false, true] {
      client.allowsInsecureRedirects = allows
      client.get("https://server/").text().observe(
        succeeded: { log.append($0) }, failed: { log.append($0.brief) })
      scheduler.advance(by: .seconds(1))
    }
    #expect(log == ["refusedRedirect http://server:443/b", "b"])
  }

  @Test("Secrets among the headers of the client stay at the first origin")
  func anotherOriginGetsNoDefaultSecrets() throws {
    let fixture = try ClientFixture { connection, _ in
      connection == 0 ? self.redirect(307, "http://other/b") : ok("end")
    }
    fixture.client.headers = [
      "Authorization": "secret", "Proxy-Authorization": "secret", "Cookie": "secret", "X": "public",
    ]
    fixture.get("/a")
    fixture.advance()
    #expect(fixture.received[0].contains("Authorization: secret"))
    #expect(fixture.received[1] == "GET /b HTTP/1.1\r\nHost: other\r\nX: public\r\n\r\n")
    #expect(fixture.log == ["200 end"])
  }

  @Test("Other fields with secrets are left out at another origin only")
  func anotherOriginGetsNoKeys() throws {
    for isOther in [false, true] {
      let fixture = try ClientFixture { connection, request in
        connection == 0 && request == 0
          ? self.redirect(307, isOther ? "http://other/b" : "/b") : ok("end")
      }
      fixture.client.headers = ["X-Auth-Token": "secret"]
      fixture.client.credentialHeaders.append("x-session")
      fixture.exchange(
        HTTPRequest(
          .get, "http://server/a",
          headers: ["x-api-key": "secret", "X-Session": "secret", "X": "public"]))
      fixture.advance()
      #expect(fixture.log == ["200 end"])
      let second = fixture.received.joined().components(separatedBy: "GET /b ").last ?? ""
      #expect(second.contains("X: public"))
      #expect(second.contains("secret") == !isOther)
    }
  }

  @Test("The slow body of a redirect does not delay the call")
  func slowBodiesAreNotAwaited() throws {
    let fixture = try ClientFixture { connection, _ in
      connection == 0
        ? "HTTP/1.1 302 \r\nLocation: /b\r\nContent-Length: 9\r\n\r\na" : ok("end")
    }
    fixture.get()
    fixture.advance(.seconds(1))
    #expect(fixture.log == ["200 end"])
    #expect(fixture.openCount == 2)
    fixture.advance(.seconds(5))
    #expect(fixture.openCount == 1)
  }

  @Test("A call can be cancelled before it follows a redirect")
  func cancelledRedirectsAreNotFollowed() throws {
    let fixture = try ClientFixture { _, _ in nil }
    fixture.network.latency = .milliseconds(10)
    let observation = fixture.get("/a")
    fixture.advance()
    _ = fixture.connections[0].write(redirect(302, "/b"))
    let arrival = fixture.scheduler.now + .milliseconds(10)
    fixture.advance(.milliseconds(5))
    // After the arrival, and before the next attempt.
    _ = fixture.scheduler.schedule(at: arrival) {
      #expect(fixture.client.pool.idleCount == 1)
      observation.dispose()
    }
    fixture.advance(.seconds(1))
    #expect(fixture.requestLines() == ["GET /a"])
    #expect(fixture.log == [])
  }
}
