import RunnelNet
import RunnelStreams
import Testing

@Suite struct CrossOriginTests {
  private func answer(
    _ policy: CrossOriginPolicy, _ fields: [(String, String)], _ method: HTTPMethod = .get
  ) throws -> (HTTPResponse, isHandled: Bool) {
    var isHandled = false
    let answer = try response(to: HTTPRequest("/", fields, method: method)) { server in
      server.allowCrossOrigin(policy)
      server.on(nil, "/") { _ in
        isHandled = true
        return HTTPResponse(headers: ["Vary": "Accept"])
      }
    }
    return (answer, isHandled)
  }

  private func fields(_ response: HTTPResponse) -> [String] {
    response.headers.filter { $0.name.hasPrefix("Access-") }.map {
      "\($0.name.dropFirst(15)): \($0.value)"
    }
  }

  private var listed: CrossOriginPolicy {
    CrossOriginPolicy(origins: .list(["https://a.org", "http://b:80"]))
  }

  @Test func onlyListedOriginsAreAllowed() throws {
    for (origin, isAllowed) in [
      ("https://a.org", true), ("http://b:80", true), ("http://a.org", false), ("null", false),
      ("https://a.org.evil", false), ("https://A.org", false), ("*", false), ("", false),
    ] {
      let (response, isHandled) = try answer(listed, [("Origin", origin)])
      #expect(isHandled)
      #expect(fields(response) == (isAllowed ? ["Allow-Origin: \(origin)"] : []))
      #expect(response.headers.elements(of: "Vary") == ["Accept", "Origin"])
    }
  }

  @Test func requestsWithoutOriginOnlyVary() throws {
    let (response, isHandled) = try answer(listed, [])
    #expect(isHandled && fields(response).isEmpty)
    #expect(response.headers.elements(of: "Vary") == ["Accept", "Origin"])
    let doubled = try answer(listed, [("Origin", "http://b:80"), ("Origin", "http://b:80")])
    #expect(fields(doubled.0).isEmpty)
  }

  @Test func anyOriginIsAStarWithoutCredentials() throws {
    let (response, _) = try answer(CrossOriginPolicy(origins: .any), [("Origin", "https://x")])
    #expect(fields(response) == ["Allow-Origin: *"])
    #expect(response.headers.elements(of: "Vary") == ["Accept"])
  }

  @Test func credentialsNameTheOrigin() throws {
    var policy = listed
    policy.allowsCredentials = true
    policy.exposedHeaders = ["X-A", "X-B"]
    let (response, _) = try answer(policy, [("Origin", "http://b:80")])
    #expect(
      fields(response) == [
        "Allow-Origin: http://b:80", "Allow-Credentials: true", "Expose-Headers: X-A, X-B",
      ])
  }

  @Test func preflightIsAnsweredWithoutHandler() throws {
    let preflight = [("Origin", "http://b:80"), ("Access-Control-Request-Method", "PUT")]
    let (response, isHandled) = try answer(listed, preflight, .options)
    #expect(!isHandled && response.status == .noContent)
    #expect(
      fields(response) == [
        "Allow-Origin: http://b:80", "Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE",
        "Allow-Headers: Authorization, Content-Type", "Max-Age: 600",
      ])
    #expect(response.headers.elements(of: "Vary").first == "Origin")
    let refused = try answer(
      listed, [("Origin", "http://c"), ("Access-Control-Request-Method", "PUT")], .options)
    #expect(!refused.isHandled && fields(refused.0).isEmpty)
    #expect(try answer(listed, [("Origin", "http://b:80")], .options).isHandled)
  }

  @Test("A response to an error that comes later can be read by the script")
  func laterErrorsAreAllowed() throws {
    let answer = try response(to: HTTPRequest("/", [("Origin", "http://b:80")])) { server in
      server.allowCrossOrigin(listed)
      server.get("/") { _ in Single<String, HTTPError>.failed(HTTPError(418)) }
    }
    #expect(answer.status == 418)
    #expect(fields(answer) == ["Allow-Origin: http://b:80"])
  }

  @Test func credentialsOfAnyOriginTrap() async {
    await #expect(processExitsWith: .failure) {
      var policy = CrossOriginPolicy(origins: .any)
      policy.allowsCredentials = true
      _ = try response(to: HTTPRequest(.get, "/")) { $0.allowCrossOrigin(policy) }
    }
  }
}
