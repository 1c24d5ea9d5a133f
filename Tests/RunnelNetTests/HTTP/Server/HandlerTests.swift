import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

/// Returns the lines of a response's head without its date, and the body.
func parts(of answer: String) -> (head: [Substring], body: String) {
  guard let end = answer.range(of: "\r\n\r\n") else { return ([], answer) }
  let lines = answer[..<end.lowerBound].split(separator: "\r\n")
  return (lines.filter { !$0.hasPrefix("Date: ") }, String(answer[end.upperBound...]))
}

extension String {
  func range(of part: String) -> Range<Index>? {
    var start = startIndex
    let bytes = utf8
    while start < endIndex {
      if bytes[start...].starts(with: part.utf8) {
        return start..<bytes.index(start, offsetBy: part.utf8.count)
      }
      start = bytes.index(after: start)
    }
    return nil
  }
}

@Suite struct HandlerTests {
  @Test("A handler that forwards names and numbers of a client does not end the server")
  func outsideValuesAreForwarded() throws {
    func setUp(_ server: HTTPServer) {
      server.get("/") { request in
        var response = HTTPResponse(
          HTTPStatus(exactly: Int(request.query["code"] ?? "") ?? 0) ?? 200)
        let name = request.query["name"] ?? "X"
        try response.headers.set(validating: name, request.query["value"] ?? "")
        return response
      }
      server.get("/move") { request in
        HTTPResponse.redirect(to: request.query["to"] ?? "", .found)
      }
      server.get("/cookie") { request in
        var response = HTTPResponse()
        try response.setCookie(HTTPCookie("a", "b", maxAge: .seconds(Int64.min)))
        return response
      }
      server.get("/event") { request in
        EventStream<ServerSentEvent, Never>.just(
          ServerSentEvent("a", retry: .seconds(Int(request.query["retry"] ?? "") ?? 0)))
      }
    }
    func send(_ target: String) throws -> String {
      try answer(to: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", setUp)
    }
    #expect(try send("/?name=a%20b").hasPrefix("HTTP/1.1 400 "))
    #expect(try send("/?name=%0D%0ASet-Cookie").hasPrefix("HTTP/1.1 400 "))
    #expect(try send("/?value=a%0D%0ASet-Cookie:%20b").hasPrefix("HTTP/1.1 400 "))
    #expect(try send("/?code=0").hasPrefix("HTTP/1.1 200 "))
    #expect(try send("/?code=99999").hasPrefix("HTTP/1.1 200 "))
    #expect(try send("/?code=418&name=a&value=b").contains("a: b\r\n"))
    #expect(try send("/?code=101").hasPrefix("HTTP/1.1 500 "))
    #expect(
      try send("/move?to=/a%0D%0ASet-Cookie:%20b").contains("Location: /a  Set-Cookie: b\r\n"))
    #expect(try send("/cookie").contains("; Max-Age=0;"))
    #expect(try send("/event?retry=9223372036854775807").contains("retry: 2147483647\n"))
    #expect(try send("/event?retry=-9223372036854775807").contains("retry: 0\n"))
  }

  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("A handler returns a value, a single, a stream or nil")
  func handlersReturnResults() throws {
    func check(_ head: [String], _ body: String, _ setUp: (HTTPServer) -> Void) throws {
      let (lines, text) = parts(of: try answer(to: Self.get, setUp))
      #expect(lines == head.map { $0[...] })
      #expect(text == body)
    }
    let text = "Content-Type: text/plain; charset=utf-8"
    try check(["HTTP/1.1 200 OK", text, "Content-Length: 2"], "hi") { $0.get("/") { _ in "hi" } }
    try check(
      ["HTTP/1.1 200 OK", "Content-Type: application/octet-stream", "Content-Length: 1"], "a"
    ) { $0.get("/") { _ in [UInt8(97)] } }
    try check(["HTTP/1.1 204 No Content"], "") { $0.get("/") { _ in HTTPStatus.noContent } }
    try check(["HTTP/1.1 200 OK", text, "Content-Length: 2"], "hi") {
      $0.get("/") { _ in Single<String, Never>.just("hi") }
    }
    try check(["HTTP/1.1 404 Not Found", text, "Content-Length: 14"], "404 Not Found\n") {
      $0.get("/") { _ in String?.none }
    }
    try check(
      ["HTTP/1.1 200 OK", text, "Transfer-Encoding: chunked"], "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"
    ) { $0.get("/") { _ in EventStream<String, Never>.sequence(["a", "bc"]) } }
    try check(["HTTP/1.1 418 ", text, "Content-Length: 4"], "tea\n") {
      $0.get("/") { _ -> String in throw HTTPError(418, "tea") }
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    for size in [1, 7, 1_000] {
      let received = try answer(
        to:
          "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
          + "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", pieces: size
      ) { server in
        server.get("/:number") { $0["number"] }
        server.post("/:number") { request in
          let number = request["number"]
          return request.body.text().map { "\(number) \($0)" }
        }
      }
      let bodies = received.split(separator: "HTTP/1.1 200 OK").map { parts(of: String($0)).body }
      #expect(bodies == ["1", "2 abc", "3"])
    }
  }
}
