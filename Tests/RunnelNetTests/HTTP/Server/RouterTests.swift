import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

/// Returns the response of a server's routes to a request.
func response(
  of server: HTTPServer, _ target: String, _ method: HTTPMethod = .get,
  headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .empty
) throws -> HTTPResponse {
  var response: HTTPResponse?
  server.test(HTTPRequest(method, target, headers: headers, body: body))
    .observe(succeeded: { response = $0 })
  return try #require(response)
}

/// Returns the text of a response.
func text(_ response: HTTPResponse) throws -> String {
  var text: String?
  response.body.text().observe(succeeded: { text = $0 })
  return try #require(text)
}

@Suite struct RouterTests {
  private let server = HTTPServer(on: TestNetwork(on: TestScheduler()))

  private func text(_ target: String, _ method: HTTPMethod = .get) throws -> String {
    try RunnelNetTests.text(response(of: server, target, method))
  }

  @Test func parametersAreDecoded() throws {
    server.get("/a/:x/b/:y") { "\($0["x"])|\($0["y"])" }
    #expect(try text("/a/1/b/2") == "1|2")
    #expect(try text("/a/%2f%C3%A9/b/c?d=e") == "/\u{e9}|c")
    for path in ["/a/1/b/", "/a//b/2", "/a/1/b/2/", "/a/%ff/b/2", "/A/1/b/2", "/a/1/b"] {
      #expect(try response(of: server, path).status == .notFound, "\(path)")
    }
  }

  @Test func restOfThePathIsNotDecoded() throws {
    server.get("/files/*path") { $0["path"] }
    #expect(try text("/files/a/b%2f/") == "a/b%2f/")
    #expect(try text("/files/") == "")
    #expect(try response(of: server, "/files").status == .ok)
    #expect(try response(of: server, "/filesx").status == .notFound)
  }

  @Test func firstRouteWinsAfterFixedOnes() throws {
    server.get("/:a") { _ in "first" }
    server.get("/:b") { _ in "second" }
    server.get("/fixed") { _ in "fixed" }
    #expect(try text("/x") == "first")
    #expect(try text("/fixed") == "fixed")
  }

  @Test("Another method is answered with 405 and the allowed methods")
  func otherMethodsAreNotAllowed() throws {
    server.get("/a") { _ in "get" }
    server.put("/a") { _ in "put" }
    server.delete("/:x") { _ in "delete" }
    let refused = try response(of: server, "/a", .post)
    #expect(refused.status == .methodNotAllowed)
    #expect(refused.headers["Allow"] == "GET, PUT, DELETE, HEAD, OPTIONS")
    #expect(try text("/a", .delete) == "delete")
    let options = try response(of: server, "/a", .options)
    #expect(options.status == .noContent && options.headers["Allow"] == refused.headers["Allow"])
    #expect(try text("/a", .head) == "get")
  }

  @Test func everyMethodMayBeHandled() throws {
    server.on(nil, "/a") { "\($0.method)" }
    #expect(try text("/a", "BREW") == "BREW")
  }

  @Test func parametersHaveTypes() throws {
    server.get("/n/:id") { "\(try $0.parameter("id", as: Int.self) + 1)" }
    #expect(try text("/n/41") == "42")
    #expect(try response(of: server, "/n/x").status == .notFound)
  }

  @Test func middlewareRunsInOrder() throws {
    var log: [String] = []
    for name in ["a", "b"] {
      server.use { request, next in
        log.append("\(name) \(request.target)")
        var request = request
        request.headers.append("X", name)
        return next(request).map { response in
          var response = response
          response.headers.append("Y", name)
          return response
        }
      }
    }
    server.get("/") { $0.headers.values(of: "X").joined() }
    server.get("/later") { _ in Single<String, Never>.just("later") }
    let now = try response(of: server, "/")
    #expect(try RunnelNetTests.text(now) == "ab")
    #expect(now.headers.values(of: "Y") == ["b", "a"])
    #expect(log == ["a /", "b /"])
    #expect(try response(of: server, "/later").headers.values(of: "Y") == ["b", "a"])
    #expect(try response(of: server, "/none").headers.values(of: "Y") == ["b", "a"])
  }

  @Test func middlewareMayAnswerAndPassValues() throws {
    struct User { let name: String }
    server.use { request, next in
      guard let name = request.headers["X-User"] else {
        return HTTPError(.unauthorized).reply(to: request)
      }
      var request = request
      request[User.self] = User(name: name)
      return next(request)
    }
    server.get("/") { $0[User.self]?.name ?? "nobody" }
    #expect(try response(of: server, "/").status == .unauthorized)
    let known = try response(of: server, "/", headers: ["X-User": "Jim"])
    #expect(try RunnelNetTests.text(known) == "Jim")
  }

  @Test func middlewareMayGoOnLater() throws {
    let lookUp = Subject<String, Never>()
    server.use { request, next in
      HTTPReply.later(to: request) { responder in
        lookUp.stream.take(1).observe(next: { name in
          var request = request
          request.headers["X-User"] = name
          responder.respond(next(request))
        })
      }
    }
    server.get("/") { $0.headers["X-User"] ?? "nobody" }
    var answer: HTTPResponse?
    server.test(HTTPRequest(.get, "/")).observe(succeeded: { answer = $0 })
    #expect(answer == nil)
    lookUp.next("Jim")
    #expect(try RunnelNetTests.text(#require(answer)) == "Jim")
  }

  @Test func handlersMayAddRoutes() throws {
    server.use { $1($0) }
    server.get("/add") { [server] _ in
      server.get("/added") { _ in "added" }
      return "ok"
    }
    #expect(try response(of: server, "/added").status == .notFound)
    #expect(try text("/add") == "ok")
    #expect(try text("/added") == "added")
  }

  @Test(
    "A wrong path of a route traps",
    arguments: ["a", "/*rest/a"])
  func wrongPathsTrap(path: String) async {
    await #expect(processExitsWith: .failure) { [path] in
      HTTPServer(on: TestNetwork(on: TestScheduler())).get(path) { _ in "" }
    }
  }

  @Test func missingParameterTraps() async {
    await #expect(processExitsWith: .failure) {
      let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
      server.get("/:a") { $0["b"] }
      server.test(HTTPRequest(.get, "/x")).observe()
    }
  }

  @Test("A stream of a handler runs in virtual time")
  func handlersRunInVirtualTime() throws {
    let scheduler = TestScheduler()
    let server = HTTPServer(on: TestNetwork(on: scheduler))
    server.get("/") { _ in
      EventStream<Int, Never>.interval(.seconds(60), on: scheduler).map { ServerSentEvent("\($0)") }
    }
    var events: [String] = []
    try RunnelNetTests.response(of: server, "/").body.stream.observe(
      next: { events.append(String(decoding: $0, as: UTF8.self)) }, failed: { _ in })
    scheduler.advance(by: .seconds(130))
    #expect(events == ["data: 0\n\n", "data: 1\n\n"])
  }
}
