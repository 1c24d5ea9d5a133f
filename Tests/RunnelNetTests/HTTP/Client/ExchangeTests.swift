import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct ExchangeTests {
  private static let sizes = [1, 2, 7, 1 << 16]

  @Test(arguments: sizes)
  func responsesArriveInPieces(size: Int) throws {
    let fixture = try ClientFixture(pieces: size) { _, request in
      switch request {
      case 0: ok("abc")
      case 1: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
      case 2: "HTTP/1.1 204 No Content\r\n\r\n"
      case 3: "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 100 \r\n\r\n" + ok("d")
      default: "HTTP/1.1 404 Not Found\r\n\r\nuntil the end close"
      }
    }
    for path in ["/1", "/2?a=b", "/3", "/4", "/5"] {
      fixture.get(path)
      fixture.advance()
    }
    #expect(fixture.log == ["200 abc", "200 abc", "204 ", "200 d", "404 until the end"])
    #expect(fixture.received.count == 1)
    #expect(fixture.requestLines() == ["GET /1", "GET /2?a=b", "GET /3", "GET /4", "GET /5"])
    #expect(fixture.openCount == 0)
  }

  @Test func nothingIsSentBeforeItIsObserved() throws {
    let fixture = try ClientFixture { _, _ in ok("a") }
    let operation = fixture.client.get("http://server/")
    fixture.advance()
    #expect(fixture.connections.isEmpty)
    var count = 0
    for _ in 0..<2 {
      operation.text().observe(succeeded: { _ in count += 1 })
      fixture.advance()
    }
    #expect(count == 2)
    #expect(fixture.requestLines().count == 2)
  }

  @Test func requestsHaveTheirFields() throws {
    let fixture = try ClientFixture(port: 8080) { _, _ in ok("") }
    fixture.client.headers = ["User-Agent": "test", "Accept": "*/*"]
    fixture.exchange(
      HTTPRequest(
        .post, "http://Server:8080",
        headers: ["accept": "text/plain", "X": "1", "Content-Length": "9"],
        body: "abc"))
    fixture.advance()
    #expect(
      fixture.received == [
        "POST / HTTP/1.1\r\nHost: server:8080\r\nUser-Agent: test\r\naccept: text/plain\r\nX: 1\r\n"
          + "Content-Length: 3\r\n\r\nabc"
      ])
    #expect(fixture.log == ["200 "])
  }

  @Test func bodiesAreSent() throws {
    let fixture = try ClientFixture { _, _ in ok("") }
    let pieces = EventStream<[UInt8], Never>.sequence([Array("ab".utf8), [], Array("c".utf8)])
    let bodies: [(HTTPMethod, HTTPBody, String)] = [
      (.get, .empty, "\r\n\r\n"), (.post, .empty, "\r\nContent-Length: 0\r\n\r\n"),
      (
        .put, HTTPBody(pieces),
        "\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
      ),
      (.put, HTTPBody(pieces, count: 3), "\r\nContent-Length: 3\r\n\r\nabc"),
    ]
    for (index, (method, body, end)) in bodies.enumerated() {
      fixture.exchange(
        HTTPRequest(method, "http://server/", headers: ["Connection": "close"], body: body))
      fixture.advance()
      #expect(fixture.received[index].hasSuffix("Host: server\r\nConnection: close" + end))
    }
    #expect(fixture.log == ["200 ", "200 ", "200 ", "200 "])
  }

  @Test("A body with another count, or that fails, fails the request")
  func invalidBodiesFail() throws {
    struct Broken: Error {}
    let fixture = try ClientFixture { _, _ in nil }
    let piece = Array("abc".utf8)
    for (body, error) in [
      (
        HTTPBody(EventStream<[UInt8], Never>.just(piece), count: 4),
        "requestBody The connection ended before the body was complete."
      ),
      (
        HTTPBody(EventStream<[UInt8], Never>.just(piece), count: 2),
        "requestBody The body has more than 2 bytes."
      ),
      (HTTPBody(EventStream<[UInt8], Broken>.failed(Broken())), "requestBody Broken()"),
    ] {
      fixture.exchange(HTTPRequest(.put, "http://server/", body: body))
      fixture.advance()
      #expect(fixture.log.popLast() == error)
      #expect(fixture.openCount == 0)
    }
  }

  @Test func aBodyThatOverflowsFails() throws {
    let fixture = try ClientFixture { _, _ in nil }
    let pieces = EventStream<[UInt8], Never>.sequence(
      (0..<10).map { _ in [UInt8](repeating: 97, count: 1 << 16) })
    fixture.exchange(HTTPRequest(.put, "http://server/", body: HTTPBody(pieces)))
    fixture.advance()
    #expect(fixture.log.count == 1)
    #expect(fixture.log[0].contains("bytes wait to be written"))
    #expect(fixture.openCount == 0)
  }

  @Test func aBodyWaitsForContinue() throws {
    let fixture = try ClientFixture { connection, request in
      connection == 0 ? [0: "HTTP/1.1 100 Continue\r\n\r\n", 1: ok("a")][request] : nil
    }
    let request = HTTPRequest(
      .put, "http://server/", headers: ["Expect": "100-continue"], body: "abc\r\n\r\n")
    fixture.exchange(request)
    fixture.advance()
    #expect(fixture.log == ["200 a"])
    fixture.client.closeIdleConnections()
    // A server that does not know it gets the body after a second.
    fixture.exchange(request)
    fixture.advance(.milliseconds(900))
    #expect(fixture.received[1].hasSuffix("\r\n\r\n"))
    #expect(!fixture.received[1].contains("abc"))
    fixture.advance(.milliseconds(200))
    #expect(fixture.received[1].contains("abc"))
  }

  @Test func aFinalResponseInsteadOfContinueIsDelivered() throws {
    let fixture = try ClientFixture { _, _ in "HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno" }
    fixture.exchange(
      HTTPRequest(.put, "http://server/", headers: ["Expect": "100-continue"], body: "abc"))
    fixture.advance()
    #expect(fixture.log == ["417 no"])
    // The server may wait for the body, so the connection is not used again.
    #expect(fixture.openCount == 0)
    #expect(!fixture.received[0].contains("abc"))
  }

  @Test("A response before the end of the request ends it, and is delivered")
  func earlyResponsesEndTheRequest() throws {
    let fixture = try ClientFixture { _, _ in "HTTP/1.1 413 \r\nContent-Length: 4\r\n\r\nlong" }
    var isDisposed = false
    let endless = EventStream<[UInt8], Never> { observer in
      observer.next([1])
      return Disposable { isDisposed = true }
    }
    fixture.exchange(HTTPRequest(.post, "http://server/", body: HTTPBody(endless)))
    fixture.advance()
    #expect(fixture.log == ["413 long"])
    #expect(isDisposed)
    #expect(fixture.openCount == 0)
  }

  @Test("A server that stops reading can still respond")
  func responsesArriveAfterAClosedRead() throws {
    let fixture = try ClientFixture { _, _ in "HTTP/1.1 413 \r\nContent-Length: 4\r\n\r\nlong close"
    }
    fixture.exchange(
      HTTPRequest(.post, "http://server/", body: HTTPBody([UInt8](repeating: 0, count: 1 << 20))))
    fixture.advance(.seconds(3))
    #expect(fixture.log == ["413 long"])
    #expect(fixture.openCount == 0)
    #expect(fixture.client.pool.count == 0)
  }

  @Test func invalidRequestsFail() throws {
    let fixture = try ClientFixture { _, _ in ok("") }
    for (method, target, error) in [
      ("GET", "/path", "invalidURL"), ("GET", "ftp://server/", "invalidURL"),
      ("GET /x HTTP/1.1\r\nA: b\r\n\r\nGET", "http://server/", "invalidRequest"),
      ("", "http://server/", "invalidRequest"), ("CONNECT", "http://server/", "invalidRequest"),
      ("GET", "https://server/", "tlsMissing"), ("GET", "http://server:81/", "connection"),
    ] {
      fixture.exchange(HTTPRequest(HTTPMethod(rawValue: method), target))
      fixture.advance()
      #expect(fixture.log.popLast()?.hasPrefix(error) == true)
    }
    fixture.exchange(HTTPRequest(.get, "http://server/", headers: ["Host": "a/b"]))
    fixture.advance()
    #expect(fixture.log == ["invalidRequest"])
    fixture.exchange(HTTPRequest(.get, "http://server/", headers: ["Host": "a"]))
    fixture.advance()
    #expect(fixture.received == ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"])
  }

  @Test("A status outside of 200 to 299 fails with the body")
  func statusesFail() throws {
    let fixture = try ClientFixture { connection, request in
      switch (connection, request) {
      case (0, 0): "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"
      case (0, _): "HTTP/1.1 500 \r\nContent-Length: 9\r\n\r\n123456789"
      case (_, 0): "HTTP/1.1 304 \r\n\r\n"
      default: "HTTP/1.1 500 \r\nContent-Length: 9\r\n\r\n1234 close"
      }
    }
    fixture.client.failureBodyLimit = 8
    let operation = fixture.client.response(HTTPRequest(.get, "http://server/"))
    var errors: [String] = []
    for _ in 0..<4 {
      operation.observe(failed: { errors.append($0.brief) })
      fixture.advance()
    }
    #expect(
      errors == [
        "status 404 none true", "status 500 12345678 false", "status 304  true",
        "status 500 1234 false",
      ])
  }

  @Test(arguments: sizes)
  func malformedResponsesFail(size: Int) throws {
    for (answer, error) in [
      (
        "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n",
        "malformed a line feed without a carriage return"
      ),
      ("HTTP/2.0 200 OK\r\n\r\n", "malformed the version is not HTTP/1"),
      ("SSH-2.0-OpenSSH_9.6\r\n", "malformed an invalid status line"),
      ("HTTP/1.1 101 Switching\r\n\r\n", "malformed another protocol, without a request"),
      (
        String(repeating: "HTTP/1.1 102 \r\n\r\n", count: 17),
        "malformed too many interim responses"
      ),
      (
        "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 40_000))",
        "malformed the headers are too large"
      ),
      ("close", "disconnected"), ("HTTP/1.1 200 close", "disconnected"),
      (ok("abc").dropLast() + " close", "200 The connection ended before the body was complete."),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "200 The body violates HTTP: an invalid chunk size."
      ),
    ] {
      let fixture = try ClientFixture(pieces: size) { _, _ in String(answer) }
      fixture.get()
      fixture.advance()
      #expect(fixture.log == [error])
      #expect(fixture.openCount == 0)
    }
  }

  @Test func aResponseBeforeTheRequestIsRefused() throws {
    let fixture = try ClientFixture { connection, request in
      request == 0 && connection == 0 ? ok("a") + ok("poison") : ok("b")
    }
    fixture.get()
    fixture.advance()
    fixture.get()
    fixture.advance()
    // The second response was not asked for, so its connection is closed.
    #expect(fixture.log == ["200 a", "200 b"])
    #expect(fixture.connections.count == 2)
  }

  @Test func bytesOnAnUnusedConnectionCloseIt() throws {
    let fixture = try ClientFixture { connection, _ in connection == 0 ? ok("a") : ok("b") }
    fixture.get()
    fixture.advance()
    #expect(fixture.openCount == 1)
    _ = fixture.connections[0].write(ok("poison"))
    fixture.advance()
    #expect(fixture.openCount == 0)
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["200 a", "200 b"])
  }

  @Test("The headers of the client are checked as those of a request, which win")
  func headersOfTheClientAreChecked() throws {
    let fixture = try ClientFixture { _, _ in ok("") }
    fixture.client.headers = [
      "Host": "default", "Content-Length": "9", "Transfer-Encoding": "chunked",
      "Connection": "close", "Authorization": "default", "A": "1", "A": "2",
    ]
    fixture.exchange(
      HTTPRequest(
        .post, "http://server/", headers: ["authorization": "own", "host": "own"], body: "abc"))
    fixture.advance()
    #expect(
      fixture.received == [
        "POST / HTTP/1.1\r\nHost: own\r\nConnection: close\r\nA: 1\r\nA: 2\r\n"
          + "authorization: own\r\nContent-Length: 3\r\n\r\nabc"
      ])
    #expect(fixture.openCount == 0)
    #expect(fixture.log == ["200 "])
  }

  @Test("A body that waits for 100 is not sent after the final response")
  func finalResponsesEndExpectations() throws {
    let fixture = try ClientFixture { _, _ in "HTTP/1.1 413 \r\nContent-Length: 4\r\n\r\nlo" }
    fixture.client.headers = ["Expect": "100-continue"]
    fixture.exchange(HTTPRequest(.put, "http://server/", body: "upload"))
    fixture.advance(.seconds(3))
    #expect(!fixture.received[0].contains("upload"))
    _ = fixture.connections[0].write("ng")
    fixture.advance(.seconds(3))
    #expect(fixture.log == ["413 long"])
    #expect(fixture.received.count == 1 && !fixture.received[0].contains("upload"))
    #expect(fixture.openCount == 0)
  }
}
