import Runnel

struct NotFound: Error {}

@MainActor func note(_ id: Int) throws -> String {
  guard id == 1 else { throw NotFound() }
  return "Buy milk"
}

let server = HTTPServer(on: EventLoop.main)
server.get("/notes/:id") { request in
  let id = try request.parameter("id", as: Int.self)
  guard id > 0 else { throw HTTPError(.badRequest, "Notes are counted from 1.") }
  return try note(id)
}
server.mapErrors { error, _ in error is NotFound ? HTTPStatus.notFound : nil }
server.failures.observeNext { print($0) }

server.get("/labels") { request in
  var response = HTTPResponse(text: "labelled\n")
  for (name, value) in request.query.pairs {
    try response.headers.set(validating: "X-Label-\(name)", value)
  }
  return response
}

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
for path in ["/notes/1", "/notes/0", "/notes/2", "/labels?color=red"] {
  let response = client.exchange(HTTPRequest(.get, "http://\(listener.address)\(path)"))
  if let response = try EventLoop.main.run(until: response.stream) {
    print(path, response.status, response.headers["X-Label-color"] ?? "–")
  }
}

// Output:
// /notes/1 200 OK –
// /notes/0 400 Bad Request –
// /notes/2 404 Not Found –
// /labels?color=red 200 OK red
