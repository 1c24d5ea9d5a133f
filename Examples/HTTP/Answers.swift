import Runnel

actor Reports {
  func today() throws -> String { "Nothing has happened." }
}

/// An API with a callback.
@MainActor final class Station {
  func read(_ finish: @escaping (String) -> Void) { finish("rain") }
}

let reports = Reports()
let station = Station()
let server = HTTPServer(on: EventLoop.main)

server.get("/report") { request async throws in try await reports.today() }

server.get("/weather") { request in
  HTTPReply.later(to: request) { responder in
    station.read { text in responder.respond(text) }
  }
}

server.get("/numbers") { _ in
  var number = 0
  return EventStream<String, Never>.pulled {
    number += 1
    return number > 100_000 ? nil : .just("\(number)\n")
  }
}

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
for path in ["/report", "/weather", "/numbers"] {
  let answer = client.get("http://\(listener.address)\(path)").text(atMost: 1 << 20)
  let text = try EventLoop.main.run(until: answer.stream) ?? ""
  let lines = text.split(separator: "\n")
  print(path, lines[lines.count - 1])
}

// Output:
// /report Nothing has happened.
// /weather rain
// /numbers 100000
