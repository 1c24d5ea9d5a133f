import RunnelJSON
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

private struct Post: Codable, Equatable {
  var title: String
  var tags: [Int] = []
  var size: UInt8 = 0
}

/// A type that refuses a value with an error of its own.
private struct Even: Decodable {
  let number: Int

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    if number % 2 != 0 { throw HTTPError(.conflict, "odd") }
  }
}

@Suite struct JSONBodiesTests {
  private func answer(
    _ type: String?, _ text: String,
    _ route: (HTTPServer) -> Void = { server in
      server.post("/") { request in
        request.json(Post.self, atMost: 100).map { try HTTPResponse(.created, json: $0.title) }
      }
    }
  ) throws -> (status: HTTPStatus, text: String) {
    let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
    route(server)
    var request = HTTPRequest(.post, "/", body: HTTPBody(text))
    request.headers["Content-Type"] = type
    var response: HTTPResponse?
    server.test(request).observe(succeeded: { response = $0 })
    let received = try #require(response)
    var body = ""
    received.body.text().observe(succeeded: { body = $0 }, failed: { Issue.record("\($0)") })
    return (received.status, body)
  }

  private let post = #"{"title":"a","tags":[1],"size":2}"#

  @Test func bodiesOfTypeJSONAreDecoded() throws {
    for type in ["application/json", "application/json; charset=utf-8", "application/x+json"] {
      let (status, text) = try answer(type, post)
      #expect(status == .created && text == "\"a\"")
    }
    for type in [nil, "text/plain", "application/json; charset=utf-16", "x"] {
      #expect(try answer(type, post).status == .unsupportedMediaType)
    }
  }

  @Test(arguments: [
    ("", "line 1, column 1: The text is empty."),
    ("{", "line 1, column 2: The text ends too early."),
    (#"{"tags":[],"size":1}"#, #"line 1, column 1: "title" is missing."#),
    (
      #"{"title":null,"tags":[],"size":1}"#,
      "title (line 1, column 10): A string is expected, not null."
    ),
    (
      "{\"title\":\"\",\n\"tags\":[1,\"x\"],\"size\":1}",
      "tags[1] (line 2, column 11): An integer is expected, not a string."
    ),
    ("[]", "line 1, column 1: An object is expected, not an array."),
    (
      #"{"title":"","tags":[],"size":1000}"#,
      "size (line 1, column 30): 1000 is not a value of UInt8."
    ),
  ])
  func invalidBodiesAreAnsweredWithTheReason(_ body: String, _ reason: String) throws {
    let (status, text) = try answer("application/json", body)
    #expect(status == .badRequest && text == reason + "\n")
  }

  @Test func longBodyIsTooLarge() throws {
    let body = #"{"title":"\#(String(repeating: "x", count: 100))"}"#
    #expect(try answer("application/json", body).status == .contentTooLarge)
  }

  /// A text in the body that is JSON, too.
  private struct Nested: Decodable {
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      _ = try JSON.decode(Int.self, from: text)
    }
  }

  @Test func invalidTextInABodyIsTheFaultOfTheClient() throws {
    let (status, _) = try answer("application/json", #""x""#) { server in
      server.post("/") { $0.json(Nested.self).map { _ in HTTPStatus.noContent } }
    }
    #expect(status == .badRequest)
  }

  @Test func errorOfTheTypeIsPassedOn() throws {
    for (body, status) in [("2", 204), ("3", 409)] as [(String, HTTPStatus)] {
      let result = try answer("application/json", body) { server in
        server.post("/") { $0.json(Even.self).map { _ in HTTPStatus.noContent } }
      }
      #expect(result.status == status)
    }
  }

  @Test func valuesAreEncodedAndDecoded() throws {
    let value = Post(title: "é", tags: [1, 2], size: 3)
    let response = try HTTPResponse(json: value)
    #expect(response.status == .ok && response.headers["Content-Type"] == "application/json")
    var decoded: Post?
    response.json(Post.self).observe(succeeded: { decoded = $0 }, failed: { Issue.record("\($0)") })
    #expect(decoded == value)
    let request = try HTTPRequest(.post, "/", json: value)
    #expect(request.method == .post && request.contentType?.isJSON == true)
    var sent: Post?
    request.json(Post.self).observe(succeeded: { sent = $0 }, failed: { Issue.record("\($0)") })
    #expect(sent == value)
  }

  @Test func closuresWriteJSON() throws {
    let response = HTTPResponse(.created, writingJSON: { $0.object { $0.field("count", 7) } })
    #expect(response.status == .created)
    #expect(response.headers["Content-Type"] == "application/json")
    var counts: [String: Int] = [:]
    response.json([String: Int].self).observe(succeeded: { counts = $0 }, failed: { _ in })
    #expect(counts == ["count": 7])
  }

  @Test func responsesThatAreNotJSONFail() throws {
    var failures: [any Error] = []
    HTTPResponse(text: "<html>").json(Post.self).observe(
      succeeded: { _ in }, failed: { failures.append($0) })
    #expect((failures.first as? JSONError)?.place?.offset == 0)
    HTTPResponse(text: "1234").json(Int.self, atMost: 3).observe(
      succeeded: { _ in }, failed: { failures.append($0) })
    #expect(failures.last as? HTTPBodyError == .tooLarge(limit: 3))
  }

  @Test func valuesThatAreNoJSONFail() {
    #expect(throws: JSONError.self) { try HTTPResponse(json: Double.infinity) }
    #expect(throws: JSONError.self) { try HTTPRequest(.post, "/", json: Double.nan) }
  }
}
