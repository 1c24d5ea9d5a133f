import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
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

  @Test("The most specific route wins, whatever the order", arguments: [false, true])
  func specificRouteWins(_ isReversed: Bool) throws {
    let paths = ["/*rest", "/:a", "/fixed", "/:a/b", "/fixed/:b", "/fixed/:b/c", "/fixed/d/*rest"]
    for path in isReversed ? paths.reversed() : paths { server.get(path) { _ in path } }
    let expected = [
      ("/x", "/:a"), ("/fixed", "/fixed"), ("/x/b", "/:a/b"), ("/fixed/b", "/fixed/:b"),
      ("/fixed/d", "/fixed/d/*rest"), ("/fixed/d/c", "/fixed/d/*rest"), ("/fixed/e/c", "/fixed/:b/c"),
      ("/x/c", "/*rest"), ("/", "/*rest"), ("/fixed/e/f", "/*rest"),
    ]
    for (target, path) in expected { #expect(try text(target) == path, "\(target)") }
  }

  @Test("A route for the method wins over GET for HEAD, and over one for every method")
  func methodsHaveAnOrder() throws {
    server.on(nil, "/a") { _ in "any" }
    server.get("/a") { _ in "get" }
    server.on(.head, "/a") { _ in "head" }
    #expect(try ["GET", "HEAD", "PUT"].map { try text("/a", $0) } == ["get", "head", "any"])
    // A less specific path may have the method.
    server.get("/b/c") { _ in "get" }
    server.post("/b/:x") { "post \($0["x"])" }
    #expect(try text("/b/c", .post) == "post c")
    #expect(try response(of: server, "/b/c", .put).headers["Allow"] == "GET, POST, HEAD, OPTIONS")
  }

  @Test("The tree finds what a search through all routes finds", arguments: seeds(20) as Range<UInt64>)
  func treeIsASearch(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = ["", "a", "b", "c"]
    let parts = texts + [":", ":"]
    var routes: Set<[String]> = []
    for _ in 0..<Int.random(in: 1...30, using: &generator) {
      let count = Int.random(in: 1...4, using: &generator)
      var path = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }
      if Int.random(in: 0..<4, using: &generator) == 0 { path.append("*") }
      routes.insert(path)
    }
    for route in routes {
      let names = route.enumerated().map { $1 == ":" || $1 == "*" ? "\($1)p\($0)" : $1 }
      server.get("/" + names.joined(separator: "/")) { _ in route.joined(separator: "/") }
    }
    for _ in 0..<100 {
      let count = Int.random(in: 1...5, using: &generator)
      let target = (0..<count).map { _ in texts.randomElement(using: &generator) ?? "" }
      let matches = routes.filter { Self.matches($0, target) }
      // A text is more specific than a parameter, and that than the rest.
      let best = matches.min { Self.rank($0).lexicographicallyPrecedes(Self.rank($1)) }
      let answer = try response(of: server, "/" + target.joined(separator: "/"))
      #expect(answer.status == (best == nil ? .notFound : .ok))
      if let best { #expect(try RunnelNetTests.text(answer) == best.joined(separator: "/")) }
    }
  }

  private static func matches(_ route: [String], _ target: [String]) -> Bool {
    let takesRest = route.last == "*"
    let parts = takesRest ? route.dropLast() : route[...]
    guard takesRest ? target.count >= parts.count : target.count == parts.count else { return false }
    return zip(parts, target).allSatisfy { $0 == ":" ? !$1.isEmpty : $0 == $1 }
  }

  /// The end of a path comes before the rest, which may be empty.
  private static func rank(_ route: [String]) -> [Int] {
    route.map { $0 == ":" ? 1 : $0 == "*" ? 2 : 0 }
  }

  // MARK: - Groups

  /// Middleware that writes a name into a header field of the request.
  private static func mark(_ name: String) -> HTTPMiddleware {
    { request, next in
      var request = request
      request.headers.append("X", name)
      return next(request)
    }
  }

  @Test("Groups have a beginning of paths, parameters, and middleware around their routes only")
  func groupsHaveMiddleware() throws {
    server.group("/api") { api in
      api.use(Self.mark("api"))
      api.get("") { $0.headers.values(of: "X").joined(separator: " ") }
      api.group("/notes/:id") { note in
        note.use(Self.mark("note"))
        note.use(Self.mark("last"))
        note.get("/shares/:share") {
          "\($0["id"]) \($0["share"]) \($0.headers.values(of: "X").joined(separator: " "))"
        }
      }
      api.get("/after") { $0.headers.values(of: "X").joined(separator: " ") }
    }
    server.get("/plain") { $0.headers.values(of: "X").joined(separator: " ") }
    // Middleware of the server may come at any time, and is the outermost.
    server.use(Self.mark("server"))
    #expect(try text("/api") == "server api")
    #expect(try text("/api/notes/7/shares/8") == "7 8 server api note last")
    #expect(try text("/api/after") == "server api")
    #expect(try text("/plain") == "server")
    #expect(try response(of: server, "/api/none").status == .notFound)
    #expect(server.route(of: HTTPRequest(.get, "/api/notes/7/shares/8")) == "/api/notes/:id/shares/:share")
  }

  @Test("Middleware of a group also answers other methods of its routes")
  func groupAnswersOtherMethods() throws {
    server.group("/api") { api in
      api.requireBearer(realm: "api") { $0 == "token" }
      api.get("/a") { _ in "a" }
    }
    for method: HTTPMethod in [.get, .put, .options] {
      #expect(try response(of: server, "/api/a", method).status == .unauthorized)
    }
    let token: HTTPHeaders = ["Authorization": "Bearer token"]
    #expect(try response(of: server, "/api/a", headers: token).status == .ok)
    #expect(try response(of: server, "/api/a", .put, headers: token).status == .methodNotAllowed)
    #expect(try response(of: server, "/api/a", .options, headers: token).status == .noContent)
    #expect(try response(of: server, "/api/none").status == .notFound)
  }

  @Test("A group may be kept, and outlive its server")
  func groupIsAnObject() throws {
    var server: HTTPServer? = HTTPServer(on: TestNetwork(on: TestScheduler()))
    weak let released = server
    let group = try #require(server).group("/api")
    func add(to routes: some HTTPRoutes) { routes.get("/b") { _ in "b" } }
    add(to: group)
    #expect(try RunnelNetTests.text(response(of: #require(server), "/api/b")) == "b")
    server = nil
    #expect(released == nil)
    add(to: group)
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

  @Test("Two routes for the same requests trap, and both places are named")
  func conflictsTrap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
      server.get("/a/:x", file: "One.swift", line: 1) { _ in "" }
      server.post("/a/:x") { _ in "" }
      server.group("/a").get("/:y", file: "Two.swift", line: 2) { _ in "" }
    }
    #expect(
      result.says(
        """
        Two routes answer the same requests: GET /a/:x, added at One.swift:1, and GET /a/:y, added at \
        Two.swift:2. Remove one of them.
        """))
  }

  @Test func lateMiddlewareOfAGroupTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let group = HTTPServer(on: TestNetwork(on: TestScheduler())).group("/a")
      group.get("/b") { _ in "" }
      group.use { $1($0) }
    }
    #expect(result.says("The group /a has routes already"))
  }

  @Test("A wrong path of a group traps", arguments: ["", "a", "/a/", "/"])
  func wrongGroupsTrap(path: String) async {
    await #expect(processExitsWith: .failure) { [path] in
      HTTPServer(on: TestNetwork(on: TestScheduler())).group(path)
    }
  }

  @Test func everyMethodMayBeHandled() throws {
    server.on(nil, "/a") { "\($0.method)" }
    #expect(try text("/a", "BREW") == "BREW")
  }

  @Test func parametersHaveTypes() throws {
    server.get("/n/:id") { "\(try $0.parameter("id", as: Int.self) + 1)" }
    #expect(try text("/n/41") == "42")
    #expect(try response(of: server, "/n/x").status == .notFound)
    server.get("/m/:id") { "\(try $0.parameter("id", as: Int.self, otherwise: .badRequest))" }
    #expect(try response(of: server, "/m/x").status == .badRequest)
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
    arguments: ["a", "/*rest/a", "/:a/:a", ""])
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
