import Runnel

struct NotFound: Error {}

@MainActor final class Notes {
  private let texts = [1: "Buy milk"]
  subscript(id: Int) -> String? { texts[id] }
  func note(_ id: Int) throws -> String {
    guard let text = texts[id] else { throw NotFound() }
    return text
  }
}

let notes = Notes()
let rows = EventStream<Int, Never>.sequence(1...3)
let secret = "open sesame"
let server = HTTPServer(on: EventLoop.main)

server.get("/notes/:id") { request in
  try notes.note(request.parameter("id", as: Int.self))
}
server.on(.delete, "/notes/:id") { _ in HTTPStatus.noContent }
server.get("/search") { request in "You look for \(request.query["text"] ?? "nothing").\n" }
server.on(nil, "/old/*rest") { request in HTTPResponse.redirect(to: "/new/" + request["rest"]) }

server.group("/api") { api in
  api.requireBearer(realm: "api") { constantTimeEquals($0, secret) }
  api.group("/notes/:id") { note in
    note.get("") { try notes.note($0.parameter("id", as: Int.self)) }
    note.delete("/shares") { _ in HTTPStatus.noContent }
  }
}

@MainActor func addVersion(to routes: some HTTPRoutes) {
  routes.get("/version") { _ in "1.2\n" }
}
addVersion(to: server)

server.get("/") { _ in HTTPResponse(html: "<h1>Notes</h1>") }
server.get("/first") { _ in notes[1] }
server.get("/sum") { _ in rows.reduce(0) { $0 + $1 }.map { "The sum is \($0).\n" } }
server.get("/rows") { _ in rows.map { "\($0)\n" } }

// Some requests.
let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
for path in ["/notes/1", "/search?text=milk", "/version", "/", "/first", "/sum"] {
  let answer = client.get("http://\(listener.address)\(path)").text()
  let text = try EventLoop.main.run(until: answer.stream) ?? ""
  print(path, text.split(separator: "\n")[0])
}

// Output:
// /notes/1 Buy milk
// /search?text=milk You look for milk.
// /version 1.2
// / <h1>Notes</h1>
// /first Buy milk
// /sum The sum is 6.
