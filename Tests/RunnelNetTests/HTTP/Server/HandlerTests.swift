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
