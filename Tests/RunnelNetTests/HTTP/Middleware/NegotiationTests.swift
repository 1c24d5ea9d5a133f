import RunnelNet
import Testing

@Suite struct NegotiationTests {
  @Test(
    arguments: [
      (nil, "text/html"),
      ("*/*", "text/html"),
      ("application/json", "application/json"),
      ("text/html;q=0.5, application/json", "application/json"),
      ("text/html;q=0.5, */*;q=0.8", "application/json"),
      ("text/*;q=0.9, application/*;q=0.3", "text/html"),
      ("text/html;q=0, */*", "application/json"),
      ("text/*;q=0.1, text/html;q=0.9, application/json;q=0.5", "text/html"),
      ("TEXT/HTML", "text/html"),
      ("text/html;level=1", nil),
      ("image/png", nil),
      ("", nil),
      ("text/html;q=2, application/json;q=0.001", "application/json"),
      ("text/html;q=0.0001", nil),
      ("text/html;q=1.001", nil),
      ("text/html;q=1.000", "text/html"),
      ("text/html;q=x, */*;q=0.1", "text/html"),
      ("text/html;Q=0.1, application/json;q=0.2;ext=1", "application/json"),
      ("text/html,,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
      (";q=1", nil),
    ] as [(String?, String?)])
  func mediaTypeIsChosen(_ accept: String?, _ expected: String?) {
    let request = HTTPRequest("/", accept.map { [("Accept", $0)] } ?? [])
    #expect(request.preferred(among: ["text/html", "application/json"]) == expected)
  }

  @Test func parametersOfRangesMustMatch() {
    let request = HTTPRequest("/", [("Accept", "text/html;level=1, text/html;q=0.4")])
    #expect(
      request.preferred(among: ["text/html", "text/html; level=1"]) == "text/html; level=1")
    #expect(request.preferred(among: []) == nil)
  }

  @Test(
    arguments: [
      (nil, "en"), ("de", "de"), ("de-CH, en;q=0.5", "de"), ("fr", nil), ("fr, *;q=0.1", "en"),
      ("EN-us, de;q=0.9", "en"), ("en;q=0, *", "de"), ("de-CH;q=0, de;q=0.5", "de"),
      ("de;q=0.5, pt", "pt-BR"), ("e", nil), ("pt-PT", nil),
    ] as [(String?, String?)])
  func languageIsChosen(_ accept: String?, _ expected: String?) {
    let request = HTTPRequest("/", accept.map { [("Accept-Language", $0)] } ?? [])
    #expect(request.preferredLanguage(among: ["en", "de", "pt-BR"]) == expected)
  }

  @Test(
    arguments: [
      (nil, "identity"), ("", "identity"), ("gzip", "gzip"), ("x-gzip", "gzip"), ("br", "identity"),
      ("gzip;q=0", "identity"), ("gzip;q=0.1", "gzip"), ("*", "gzip"), ("*;q=0", nil),
      ("identity;q=0", nil), ("identity, gzip;q=0.5", "identity"), ("br, *;q=0.2", "gzip"),
      ("identity;q=0, *;q=0.5", "gzip"), ("GZIP, deflate", "gzip"),
    ] as [(String?, String?)])
  func encodingIsChosen(_ accept: String?, _ expected: String?) {
    let request = HTTPRequest("/", accept.map { [("Accept-Encoding", $0)] } ?? [])
    #expect(request.preferredEncoding(among: ["gzip", "identity"]) == expected)
  }
}
