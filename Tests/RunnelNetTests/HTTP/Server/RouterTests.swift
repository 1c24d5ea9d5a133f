import Glibc
import RunnelLoop
import RunnelNet
import RunnelNetTesting
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
      ("/fixed/d", "/fixed/d/*rest"), ("/fixed/d/c", "/fixed/d/*rest"),
      ("/fixed/e/c", "/fixed/:b/c"),
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

  @Test(
    "The tree finds the route that a search through all routes finds",
    arguments: seeds(20) as Range<UInt64>)
  func treeIsASearch(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = ["", "a", "b", "c"]
    let methods: [HTTPMethod?] = [.get, .head, .put, nil]
    var routes: [ModelRoute] = []
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      let count = Int.random(in: 1...4, using: &generator)
      var parts = (0..<count).map { _ in
        (texts + [":", ":"]).randomElement(using: &generator) ?? ""
      }
      if Int.random(in: 0..<4, using: &generator) == 0 { parts.append("*") }
      let method = methods.randomElement(using: &generator) ?? nil
      if routes.contains(where: { $0.parts == parts && $0.method == method }) { continue }
      let route = ModelRoute(method: method, parts: parts)
      routes.append(route)
      server.on(method, route.path) { _ in "\(route)" }
    }
    for _ in 0..<100 {
      let count = Int.random(in: 1...5, using: &generator)
      let target = (0..<count).map { _ in texts.randomElement(using: &generator) ?? "" }
      let matches = routes.filter { $0.matches(target) }
      for method: HTTPMethod in [.get, .head, .put, .delete] {
        let best = matches.filter { $0.rank(method) != nil }.min {
          ($0.rank(method) ?? []).lexicographicallyPrecedes($1.rank(method) ?? [])
        }
        let answer = try response(of: server, "/" + target.joined(separator: "/"), method)
        if let best {
          #expect(try RunnelNetTests.text(answer) == "\(best)")
        } else {
          #expect(answer.status == (matches.isEmpty ? .notFound : .methodNotAllowed))
          #expect((answer.headers["Allow"] == nil) == matches.isEmpty)
        }
      }
    }
  }

  /// A route of which each part is a text, ":" or "*".
  private struct ModelRoute: CustomStringConvertible {
    let method: HTTPMethod?
    let parts: [String]

    /// The path, with names of the parameters.
    var path: String {
      let named = parts.enumerated().map { $1 == ":" || $1 == "*" ? "\($1)p\($0)" : $1 }
      return "/" + named.joined(separator: "/")
    }

    var description: String { "\(method.map { "\($0)" } ?? "any") \(path)" }

    func matches(_ target: [String]) -> Bool {
      let takesRest = parts.last == "*"
      let fixed = takesRest ? parts.dropLast() : parts[...]
      guard takesRest ? target.count >= fixed.count : target.count == fixed.count else {
        return false
      }
      return zip(fixed, target).allSatisfy { $0 == ":" ? !$1.isEmpty : $0 == $1 }
    }

    /// The kinds of the parts, then of the method: a smaller one is more specific. The end of a path
    /// comes before the rest, which may be empty. Nil if the route does not answer the method.
    func rank(_ wanted: HTTPMethod) -> [Int]? {
      let path = parts.map { $0 == ":" ? 1 : $0 == "*" ? 2 : 0 }
      switch method {
      case wanted: return path + [-3]
      case .get? where wanted == .head: return path + [-2]
      case nil: return path + [-1]
      default: return nil
      }
    }
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
    #expect(
      server.route(of: HTTPRequest(.get, "/api/notes/7/shares/8")) == "/api/notes/:id/shares/:share"
    )
  }

  @Test("Middleware of a group also answers other methods of its routes, and knows the parameters")
  func groupAnswersOtherMethods() throws {
    server.group("/notes/:id") { note in
      note.use { request, next in
        guard request["id"] == "7" else { return HTTPError(.forbidden).reply(to: request) }
        return next(request)
      }
      note.get("/text/*part") { $0["part"] }
    }
    for method: HTTPMethod in [.get, .put, .options] {
      #expect(try response(of: server, "/notes/8/text/a/b", method).status == .forbidden)
    }
    #expect(try text("/notes/7/text/a/b") == "a/b")
    #expect(try response(of: server, "/notes/7/text/a", .put).status == .methodNotAllowed)
    #expect(try response(of: server, "/notes/7/text/a", .options).status == .noContent)
    #expect(try response(of: server, "/notes/8/none").status == .notFound)
  }

  @Test("Routes of two groups for one path: their middleware does not see other methods")
  func pathIsInTwoGroups() throws {
    for isReversed in [false, true] {
      let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
      for isPublic in [isReversed, !isReversed] {
        server.group { group in
          if !isPublic { group.requireBearer(realm: "r") { $0 == "token" } }
          group.on(isPublic ? .get : .post, "/n/:id") { _ in "ok" }
        }
      }
      #expect(try response(of: server, "/n/1").status == .ok)
      #expect(try response(of: server, "/n/1", .post).status == .unauthorized)
      #expect(try response(of: server, "/n/1", .put).status == .methodNotAllowed)
    }
  }

  @Test("Bearer authentication and CORS of a group")
  func groupIsProtected() throws {
    server.group("/api") { api in
      api.allowCrossOrigin(CrossOriginPolicy(origins: .any))
      api.requireBearer(realm: "api") { $0 == "token" }
      api.get("/a") { _ in "a" }
    }
    server.get("/b") { _ in "b" }
    #expect(try response(of: server, "/api/a").status == .unauthorized)
    let token: HTTPHeaders = ["Authorization": "Bearer token", "Origin": "http://a"]
    let answer = try response(of: server, "/api/a", headers: token)
    #expect(answer.status == .ok && answer.headers["Access-Control-Allow-Origin"] == "*")
    let preflight: HTTPHeaders = ["Origin": "http://a", "Access-Control-Request-Method": "GET"]
    let allowed = try response(of: server, "/api/a", .options, headers: preflight)
    #expect(allowed.headers["Access-Control-Allow-Origin"] == "*")
    let other = try response(of: server, "/b", headers: token)
    #expect(!other.headers.contains("Access-Control-Allow-Origin"))
  }

  @Test("Texts are compared percent-decoded, so that an encoded path is not another one")
  func textsAreDecoded() throws {
    server.get("/caf\u{e9}/:x") { $0["x"] }
    server.get("/:page/x") { _ in "other" }
    server.get("/a%20b") { _ in "space" }
    #expect(try text("/caf%C3%A9/x") == "x")
    #expect(try text("/a%20b") == "space")
    #expect(try response(of: server, "/caf%C3%A9%2Fx").status == .notFound)
  }

  @Test("The target of OPTIONS may be a star, which is no path")
  func starIsNoPath() throws {
    server.on(nil, "/") { _ in "root" }
    #expect(try response(of: server, "*", .options).status == .notFound)
    #expect(try text("/") == "root")
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
    // Both are ignored.
    add(to: group)
    group.get("/c") { _ async in "c" }
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

  @Test("A second route for the same requests traps, and both places are named")
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
        Two routes answer the same requests: GET /a/:x, added at One.swift:1, and GET /a/:y, added \
        at Two.swift:2. Remove one of them.
        """))
  }

  /// The ways to add a route.
  enum Way: String, CaseIterable, Codable {
    case get, post, put, patch, delete, on, files, webSocket
    case asyncGet, asyncPost, asyncPut, asyncPatch, asyncDelete, asyncOn

    func add(to routes: some HTTPRoutes) {
      switch self {
      case .get: routes.get("/a") { _ in "" }
      case .post: routes.post("/a") { _ in "" }
      case .put: routes.put("/a") { _ in "" }
      case .patch: routes.patch("/a") { _ in "" }
      case .delete: routes.delete("/a") { _ in "" }
      case .on: routes.on(nil, "/a") { _ in "" }
      case .files: routes.files("/a", in: "/")
      case .webSocket: routes.webSocket("/a") { _ in }
      case .asyncGet: routes.get("/a") { _ async in "" }
      case .asyncPost: routes.post("/a") { _ async in "" }
      case .asyncPut: routes.put("/a") { _ async in "" }
      case .asyncPatch: routes.patch("/a") { _ async in "" }
      case .asyncDelete: routes.delete("/a") { _ async in "" }
      case .asyncOn: routes.on(nil, "/a") { _ async in "" }
      }
    }
  }

  @Test("Each way to add a route tells where it was added", arguments: Way.allCases)
  func placesAreNamed(_ way: Way) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way] in
      let loop = EventLoop(name: "routes")
      loop.execute {
        let server = HTTPServer(on: loop)
        for _ in 1...2 { way.add(to: server) }
      }
      while true { sched_yield() }
    }
    #expect(result.says("added at RunnelNetTests/RouterTests.swift:"))
    #expect(!result.says("HTTPRoutes.swift"))
  }

  @Test func lateMiddlewareOfAGroupTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let group = HTTPServer(on: TestNetwork(on: TestScheduler())).group("/a")
      group.get("/b") { _ in "" }
      group.use { $1($0) }
    }
    #expect(result.says("The group \"/a\" has routes or groups already"))
  }

  @Test("A wrong path of a group traps", arguments: ["a", "/a/", "/"])
  func wrongGroupsTrap(path: String) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path] in
      _ = HTTPServer(on: TestNetwork(on: TestScheduler())).group(path)
    }
    #expect(
      result.says("The path of a group begins with \"/\", and does not end with it: \"\(path)\""))
  }

  @Test("A path of a route in a group traps if it has no slash", arguments: ["a", ":a"])
  func wrongPathsInGroupsTrap(path: String) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path] in
      HTTPServer(on: TestNetwork(on: TestScheduler())).group("/b").get(path) { _ in "" }
    }
    #expect(result.says("The path of a route begins with \"/\": \"\(path)\"."))
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

  @Test("A request after many needs no more stack than the first")
  func manyRequestsNeedNoStack() async {
    await #expect(processExitsWith: .success) {
      let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
      server.use { $1($0) }
      server.group { group in
        group.use { $1($0) }
        group.get("/") { _ in "ok" }
      }
      var count = 0
      for _ in 0..<100_000 {
        server.test(HTTPRequest(.get, "/")).observe(succeeded: { _ in count += 1 })
      }
      guard count == 100_000 else { exit(1) }
    }
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
    arguments: [
      ("a", "begins with \"/\": \"a\""), ("", "begins with"), ("/*rest/a", "stands at the end"),
      ("/:a/:a", "have the same name"),
    ])
  func wrongPathsTrap(path: String, message: String) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path] in
      HTTPServer(on: TestNetwork(on: TestScheduler())).get(path) { _ in "" }
    }
    #expect(result.says(message))
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
