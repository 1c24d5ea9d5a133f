import RunnelNet
import Testing

@Suite struct CredentialsTests {
  @Test func encodingAndDecodingAreInverse() {
    for (plain, encoded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ] {
      #expect(Base64.encode(Array(plain.utf8)) == encoded)
      #expect(Base64.decode(encoded) == Array(plain.utf8))
    }
    let all = (0...255).map { UInt8($0) }
    #expect(Base64.decode(Base64.encode(all)) == all)
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zg==Zg==", "Zm 8=", "Zm8=\n", "=Zg=", "====",
    "Zm9v!A==", "Zm9-", "Zm9_", "Zm9vé",
  ])
  func otherEncodingsAreRefused(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func credentialsFromOutsideAreChecked() {
    for (user, password) in [("a:b", "c"), ("a\n", "b"), ("a", "b\u{7f}"), (":", "")] {
      #expect(BasicCredentials(validating: user, password: password) == nil)
    }
    let credentials = BasicCredentials(validating: "\u{e9}", password: "a:b")
    #expect(credentials == BasicCredentials(user: "\u{e9}", password: "a:b"))
  }

  @Test func basicCredentialsAreParsed() {
    func parse(_ fields: String...) -> String? {
      HTTPRequest("/", fields.map { ("Authorization", $0) }).basicCredentials.map {
        "\($0.user)/\($0.password)"
      }
    }
    #expect(parse("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==") == "Aladdin/open sesame")
    #expect(parse("bAsIc   " + Base64.encode(Array("a:b:c".utf8))) == "a/b:c")
    #expect(parse("Basic " + Base64.encode(Array(":".utf8))) == "/")
    #expect(parse("Basic " + Base64.encode(Array("ü:é".utf8))) == "ü/é")
    #expect(parse(BasicCredentials(user: "u", password: "p:").fieldValue) == "u/p:")
    #expect(parse("Basic " + Base64.encode(Array("ab".utf8))) == nil)
    #expect(parse("Basic " + Base64.encode([97, 58, 0xFF])) == nil)
    #expect(parse("Basic " + Base64.encode([97, 58, 10])) == nil)
    #expect(parse("Basic") == nil)
    #expect(parse("Bearer YTpi") == nil)
    #expect(parse("Basic YTpi", "Basic YTpi") == nil)
    #expect(parse() == nil)
  }

  @Test func bearerTokensAreParsed() {
    func parse(_ field: String) -> String? {
      HTTPRequest("/", [("Authorization", field)]).bearerToken
    }
    #expect(parse("Bearer aZ09-._~+/==") == "aZ09-._~+/==")
    #expect(parse("BEARER a") == "a")
    for invalid in ["Bearer", "Bearer ", "Bearer =", "Bearer a=b", "Bearer a b", "Basic a"] {
      #expect(parse(invalid) == nil, "\(invalid)")
    }
  }

  @Test func textsOfAnyLengthsAreCompared() {
    for (left, right, isEqual) in [
      ("", "", true), ("a", "a", true), ("a", "b", false), ("", "a", false), ("a", "", false),
      ("aa", "a", false), ("a", "aa", false), ("abab", "ab", false), ("\0", "", false),
      ("secret", "secret", true), ("secret", "secreT", false), ("ü", "ü", true),
    ] { #expect(constantTimeEquals(left, right) == isEqual, "\(left) \(right)") }
  }

  @Test func protectedPathsNeedCredentials() throws {
    for (path, isProtected) in [
      ("/", false), ("/admin", true), ("/admin/", true), ("/admin/a", true), ("/administer", false),
      ("/a/admin", false), ("/%61dmin", true), ("//admin", true), ("/./admin/x", true),
      ("/admin%2Fx", true), ("/x/../admin", true), ("/x/%2e%2e/admin", true), ("/%zz", true),
      ("/\\admin", true), ("/Admin", false), ("/admin?x", true), ("/%25admin", false),
    ] {
      let answer = try response(to: HTTPRequest(.get, path)) { server in
        server.requireBearer(realm: "a \"b\"", under: "/admin") { $0 == "secret" }
        server.get("/*path") { _ in "open" }
      }
      #expect(answer.status == (isProtected ? 401 : 200), "\(path)")
      if isProtected {
        #expect(answer.headers["WWW-Authenticate"] == "Bearer realm=\"a \\\"b\\\"\"")
      }
    }
  }

  @Test func credentialsAreChecked() throws {
    func status(_ field: String?) throws -> HTTPResponse {
      try response(to: HTTPRequest("/", field.map { [("Authorization", $0)] } ?? [])) { server in
        server.requireBasic(realm: "r") { constantTimeEquals($0.password, "b") && $0.user == "a" }
        server.get("/") { _ in "open" }
      }
    }
    #expect(try status("Basic YTpi").status == 200)
    #expect(try status("Basic YTpj").status == 401)
    #expect(try status("Basic ?").status == 401)
    #expect(
      try status(nil).headers["WWW-Authenticate"] == "Basic realm=\"r\", charset=\"UTF-8\"")
  }

  @Test func refusedTokenIsNamedInTheChallenge() throws {
    let answer = try response(to: HTTPRequest("/", [("Authorization", "Bearer b")])) { server in
      server.requireBearer(realm: "r") { $0 == "a" }
    }
    #expect(
      answer.headers["WWW-Authenticate"] == "Bearer realm=\"r\", error=\"invalid_token\"")
  }
}
