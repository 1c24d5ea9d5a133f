import Foundation
import RunnelFoundation
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

@Suite struct HTTPMessagesTests {
  private func answer(
    _ type: String?, _ text: String,
    _ route: (HTTPServer) -> Void = { server in
      server.post("/") { request in
        request.json(Post.self, atMost: 100, decoder: JSONDecoder()).map {
          try HTTPResponse(.created, json: $0.title, encoder: JSONEncoder())
        }
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
    let (status, text) = try answer("application/json", post)
    #expect(status == .created && text == "\"a\"")
    #expect(try answer("text/plain", post).status == .unsupportedMediaType)
  }

  @Test(arguments: [
    ("", "The value is invalid: The given data was not valid JSON."),
    ("{", "The value is invalid: The given data was not valid JSON."),
    (#"{"tags":[],"size":1}"#, "title is missing."),
    (#"{"title":null,"tags":[],"size":1}"#, "title is null."),
    (#"{"title":1,"tags":[],"size":1}"#, "title has another type than expected."),
    (#"{"title":"","tags":[1,"x"],"size":1}"#, "tags[1] has another type than expected."),
    ("[]", "The value has another type than expected."),
  ])
  func invalidBodiesAreAnsweredWithTheReason(_ body: String, _ reason: String) throws {
    let (status, text) = try answer("application/json", body)
    #expect(status == .badRequest && text == reason + "\n")
  }

  @Test func errorOfTheTypeIsPassedOn() throws {
    for (body, status) in [("2", 204), ("3", 409)] as [(String, HTTPStatus)] {
      let result = try answer("application/json", body) { server in
        server.post("/") {
          $0.json(Even.self, decoder: JSONDecoder()).map { _ in HTTPStatus.noContent }
        }
      }
      #expect(result.status == status)
    }
  }

  @Test func valuesAreEncodedAndDecoded() throws {
    let value = Post(title: "é", tags: [1, 2], size: 3)
    let response = try HTTPResponse(json: value, encoder: JSONEncoder())
    #expect(response.status == .ok && response.headers["Content-Type"] == "application/json")
    var decoded: Post?
    response.json(Post.self, decoder: JSONDecoder()).observe(
      succeeded: { decoded = $0 }, failed: { Issue.record("\($0)") })
    #expect(decoded == value)
    let request = try HTTPRequest(.post, "/", json: value, encoder: JSONEncoder())
    #expect(request.method == .post && request.contentType?.isJSON == true)
    request.json(Post.self, decoder: JSONDecoder()).observe(
      succeeded: { #expect($0 == value) }, failed: { Issue.record("\($0)") })
  }

  @Test func responsesThatAreNotJSONFail() throws {
    var failures: [any Error] = []
    HTTPResponse(text: "<html>").json(Post.self, decoder: JSONDecoder()).observe(
      succeeded: { _ in }, failed: { failures.append($0) })
    guard case .unreadable(let data, _) = failures.first as? JSONFailure else {
      Issue.record("\(failures)")
      return
    }
    #expect(data == Data("<html>".utf8))
    HTTPResponse(text: "1234").json(Int.self, atMost: 3, decoder: JSONDecoder()).observe(
      succeeded: { _ in }, failed: { failures.append($0) })
    #expect(failures.last as? HTTPBodyError == .tooLarge(limit: 3))
  }

  @Test func valuesThatAreNoJSONFail() {
    #expect(throws: JSONFailure.self) {
      try HTTPResponse(json: Double.infinity, encoder: JSONEncoder())
    }
    #expect(throws: JSONFailure.self) {
      try HTTPRequest(.post, "/", json: Double.nan, encoder: JSONEncoder())
    }
  }
}
