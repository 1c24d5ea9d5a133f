import Runnel
import RunnelGzip

let secret = "open sesame"
let server = HTTPServer(on: EventLoop.main)
server.logAccess(to: Log("access"))
server.allowCrossOrigin(CrossOriginPolicy(origins: .list(["https://example.org"])))
server.requireBearer(realm: "notes", under: "/api") { constantTimeEquals($0, secret) }
server.use(.gzip())
server.use { request, next in
  next(request).map { response in
    var response = response
    response.headers["X-Frame-Options"] = "DENY"
    return response
  }
}
server.get("/") { _ in "Hello!" }
server.get("/api/notes") { _ in "[]" }

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
for path in ["/", "/api/notes"] {
  let response = client.exchange(HTTPRequest(.get, "http://\(listener.address)\(path)"))
  if let response = try EventLoop.main.run(until: response.stream) {
    print(path, response.status, response.headers["X-Frame-Options"] ?? "–")
  }
}

// Output:
// / 200 OK DENY
// /api/notes 401 Unauthorized –
