import RunnelNet
import Testing

@Suite struct MediaTypeTests {
  @Test(arguments: [
    ("text/html", "text/html"),
    ("Text/HTML", "text/html"),
    ("text/html;charset=UTF-8", "text/html; charset=UTF-8"),
    ("text/html ; Charset=\"utf-8\"", "text/html; charset=utf-8"),
    ("a/b; c=\"d e\"; f=g", "a/b; c=\"d e\"; f=g"),
    ("a/b; c=\"\\\"\\x\"", "a/b; c=\"\\\"x\""),
    ("a/b; c=\"\"", "a/b; c=\"\""),
    ("a/b;", "a/b"),
    ("a/b;;c=d;", "a/b; c=d"),
    ("*/*", "*/*"),
  ])
  func textIsParsedAndPrinted(_ text: String, _ printed: String) throws {
    let type = try #require(MediaType(text))
    #expect("\(type)" == printed)
    #expect(MediaType(printed) == type)
  }

  @Test(arguments: [
    "", "text", "text/", "/html", "text/html/x", "text /html", "text/ html", "text/html x",
    "text/html; charset", "text/html; charset=", "text/html; =a", "text/html; a =b",
    "text/html; a= b", "text/html; a=\"b", "text/html; a=\"b\\", "text/html; a=b; A=c",
    "text/html, text/plain", "text/html; a=\"b\"c",
  ])
  func invalidTextIsRefused(_ text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test func typesOfJSONAreRecognised() {
    for (text, isJSON) in [
      ("application/json", true), ("application/problem+json", true), ("text/json", true),
      ("application/jsonp", false), ("image/json", false), ("text/plain", false),
    ] { #expect(MediaType(text)?.isJSON == isJSON) }
  }

  @Test func doubledContentTypeIsUnknown() {
    #expect(HTTPRequest("/", [("Content-Type", "a/b")]).contentType?.essence == "a/b")
    #expect(
      HTTPRequest("/", [("Content-Type", "a/b"), ("Content-Type", "a/b")]).contentType == nil)
    #expect(HTTPRequest("/", []).contentType == nil)
  }
}
