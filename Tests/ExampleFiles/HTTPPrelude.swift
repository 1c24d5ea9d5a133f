// Declarations that the examples of HTTP use. The file is compiled with the examples. An example
// declares whatever else it needs.

import Foundation
import RunnelCollections
import RunnelLoop
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTLS
import RunnelTesting

/// The type of `self` in the examples.
@MainActor final class Screen {}

// MARK: - Servers and clients

let loop = EventLoop.main
@MainActor let server = HTTPServer(on: loop)
@MainActor let client = HTTPClient(on: loop)
@MainActor let request = HTTPRequest(.get, "/notes?text=milk")
let secret = "sesame"
let identity = TLSIdentity(certificate: "chain.pem", key: "key.pem")

// MARK: - Notes

struct Post: Codable {
  var title = ""
}

struct NotFound: Error {}

@MainActor final class Notes {
  private let texts = [1: "Buy milk"]
  subscript(id: Int) -> String? { texts[id] }
  func note(_ id: Int) throws -> String {
    guard let text = texts[id] else { throw NotFound() }
    return text
  }
}

@MainActor let notes = Notes()
@MainActor let rows: EventStream<Int, Never> = .sequence(1...3)

actor Reports {
  func today() throws -> String { "Nothing has happened." }
}

let reports = Reports()

// MARK: - Topics and rooms

@MainActor final class Board {
  func events(_ topic: String) -> EventStream<ServerSentEvent, Never> {
    .just(ServerSentEvent(topic))
  }
}

@MainActor let board = Board()
@MainActor let room = PushStream<String>()
@MainActor let ticks: EventStream<Int, Never> = .interval(.seconds(1))

@MainActor final class Rooms {
  private let rooms = ["lobby": PushStream<String>()]
  func room(named name: String) -> PushStream<String> { rooms[name] ?? PushStream() }
}

@MainActor let rooms = Rooms()

@MainActor final class User {
  func join(_ socket: WebSocket) {}
}

@MainActor final class Users {
  func user(of request: HTTPRequest) -> User? { nil }
}

@MainActor let users = Users()

// MARK: - Callbacks and bytes

struct Weather {
  let text: String
}

@MainActor final class Station {
  func read(_ finish: @escaping (Weather) -> Void) { finish(Weather(text: "rain")) }
}

@MainActor let station = Station()
let first = Array("first".utf8)
let piece: [UInt8] = []

/// The body of the server's response to a request.
@MainActor func answer(
  _ method: HTTPMethod = .get, to target: String, type: String? = nil, body: HTTPBody = .empty
) -> String? {
  var request = HTTPRequest(method, target, body: body)
  request.headers["Content-Type"] = type
  let answer = Property<String?>(nil)
  server.test(request).observe(succeeded: { response in
    response.body.text().observe(
      succeeded: { answer.value = $0 }, failed: { answer.value = "\($0)" })
  })
  return EventLoop.main.run(until: answer.compactMap { $0 })
}

/// The values that the example has shown, in words.
@MainActor var shown: [String] = []
@MainActor func show<each Value>(_ values: repeat each Value) {
  for value in repeat each values { shown.append("\(value)") }
}
