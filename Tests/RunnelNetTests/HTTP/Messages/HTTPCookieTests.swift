import RunnelNet
import Testing

@Suite struct HTTPCookieTests {
  @Test func cookiesOfRequestsAreParsedLeniently() {
    let request = HTTPRequest(
      "/", [("Cookie", "a=1; b=\"2\";c = 3 ;d; =e;; f=g=h; a=4"), ("Cookie", "i=")])
    let pairs = request.cookies.pairs.map { "\($0.name):\($0.value)" }
    #expect(pairs == ["a:1", "b:\"2\"", "c:3", "f:g=h", "a:4", "i:"])
    #expect(request.cookies["a"] == "1")
    #expect(request.cookies["d"] == nil)
    #expect(HTTPRequest("/", []).cookies.pairs.isEmpty)
  }

  @Test func attributesAreWritten() throws {
    var response = HTTPResponse()
    try response.setCookie(HTTPCookie("a", "1"))
    try response.setCookie(
      HTTPCookie(
        "b", "", path: "/x", domain: "example.org", maxAge: .milliseconds(2_500), isSecure: true,
        isHTTPOnly: false, sameSite: .strict))
    try response.setCookie(HTTPCookie("c", "3", path: nil, maxAge: .seconds(-1)))
    try response.removeCookie("__Host-d")
    #expect(
      response.headers.values(of: "Set-Cookie") == [
        "a=1; Path=/; HttpOnly; SameSite=Lax",
        "b=; Path=/x; Domain=example.org; Max-Age=2; Secure; SameSite=Strict",
        "c=3; Max-Age=0; HttpOnly; SameSite=Lax",
        "__Host-d=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax",
      ])
  }

  @Test(arguments: [
    (HTTPCookie("", "1"), HTTPCookieError.invalidName("")),
    (HTTPCookie("a b", "1"), .invalidName("a b")),
    (HTTPCookie("a=", "1"), .invalidName("a=")),
    (HTTPCookie("a\r\nX", "1"), .invalidName("a\r\nX")),
    (HTTPCookie("a", "1;Domain=x"), .invalidValue(of: "a")),
    (HTTPCookie("a", "b c"), .invalidValue(of: "a")),
    (HTTPCookie("a", "é"), .invalidValue(of: "a")),
    (HTTPCookie("a", "\r\nX: y"), .invalidValue(of: "a")),
    (HTTPCookie("a", "1", path: "/; Secure"), .invalidAttribute("Path", of: "a")),
    (HTTPCookie("a", "1", path: "x"), .invalidAttribute("Path", of: "a")),
    (HTTPCookie("a", "1", path: ""), .invalidAttribute("Path", of: "a")),
    (HTTPCookie("a", "1", domain: "x;y"), .invalidAttribute("Domain", of: "a")),
    (HTTPCookie("a", "1", sameSite: .none), .mustBeSecure("a")),
    (HTTPCookie("__secure-a", "1"), .mustBeSecure("__secure-a")),
    (
      HTTPCookie("__Host-a", "1", domain: "x", isSecure: true),
      .invalidAttribute("Domain", of: "__Host-a")
    ),
    (
      HTTPCookie("__Host-a", "1", path: "/b", isSecure: true),
      .invalidAttribute("Path", of: "__Host-a")
    ),
  ])
  func invalidCookiesAreRefused(_ cookie: HTTPCookie, _ expected: HTTPCookieError) {
    var response = HTTPResponse()
    #expect(throws: expected) { try response.setCookie(cookie) }
    #expect(response.headers.isEmpty)
  }
}
