import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite("Handshake of a WebSocket") struct HandshakeTests {
  @Test func hashOfKnownTexts() {
    func hash(_ text: String) -> String {
      SHA1.hash(text.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(hash("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(
      hash(String(repeating: "a", count: 1_000)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
  }

  @Test func base64OfKnownTexts() {
    let pairs = [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]
    for (plain, text) in pairs {
      #expect(Base64.encode(Array(plain.utf8)) == text)
      #expect(Base64.decode(text) == Array(plain.utf8))
    }
    for text in ["Zg=", "Zg", "Z===", "====", "Zh==", "Zm9=", "Zg==Zg==", "Zm9 ", "Zm-_"] {
      #expect(Base64.decode(text) == nil, "\(text)")
    }
  }

  @Test func keyOfTheStandardIsAnswered() {
    #expect(
      WebSocketHandshake.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  private static let fields: HTTPHeaders = [
    "Host": "a.org", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
  ]

  /// The response to the fields with a change.
  private func response(
    _ method: HTTPMethod = .get, body: HTTPBody = .empty,
    options: WebSocketOptions = WebSocketOptions(),
    _ change: (inout HTTPHeaders) -> Void = { _ in }
  ) -> HTTPResponse {
    let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
    server.webSocket("/", options: options) { _ in Issue.record("The handler was called.") }
    var fields = Self.fields
    change(&fields)
    var response = HTTPResponse(500)
    server.test(HTTPRequest(method, "/", headers: fields, body: body)).observe {
      response = $0
    }
    return response
  }

  @Test func correctHandshakeIsAccepted() {
    let response = response()
    #expect(response.status == 101)
    #expect(response.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(response.headers["Upgrade"] == "websocket")
    #expect(response.headers["Connection"] == "Upgrade")
    #expect(!response.headers.contains("Sec-WebSocket-Protocol"))
    #expect(self.response { $0["Upgrade"] = "h2c, WebSocket" }.status == 101)
  }

  @Test("The answer to other requests names the expected protocol")
  func otherRequestsAreRefused() {
    for name in ["Upgrade", "Connection"] {
      for value in [nil, "close", "websocket2"] {
        let response = response { $0[name] = value }
        #expect(response.status == .upgradeRequired)
        #expect(response.headers["Upgrade"] == "websocket")
        #expect(response.headers["Sec-WebSocket-Version"] == "13")
      }
    }
    #expect(response(.head).status == .upgradeRequired)
    #expect(response(.post).status == .methodNotAllowed)
    #expect(response(body: "a").status == .badRequest)
  }

  @Test func otherVersionsAreRefused() {
    for version in [nil, "8", "14", "13, 14", "013"] {
      let response = response { $0["Sec-WebSocket-Version"] = version }
      #expect(response.status == .upgradeRequired)
      #expect(response.headers["Sec-WebSocket-Version"] == "13")
    }
    #expect(response { $0.append("Sec-WebSocket-Version", "13") }.status == .upgradeRequired)
  }

  @Test func invalidKeysAreRefused() {
    for key in [nil, "", "abc", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25j"] {
      #expect(response { $0["Sec-WebSocket-Key"] = key }.status == .badRequest)
    }
    let twice = response { $0.append("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==") }
    #expect(twice.status == .badRequest)
  }

  @Test(arguments: [
    ("http://a.org", 101), ("https://A.org", 101), ("http://a.org:80", 101),
    ("https://a.org:443", 101), ("http://a.org:8080", 403), ("http://b.org", 403), ("null", 403),
    ("", 403), ("http://a.org.b.org", 403), ("https://xa.org", 403), ("file://a.org", 403),
  ])
  func originMustBeTheSameHost(_ origin: String, _ status: Int) {
    #expect(response { $0["Origin"] = origin }.status.code == status)
  }

  @Test func originsCanBeChosen() {
    var options = WebSocketOptions()
    options.origins = .list(["https://b.org"])
    func status(_ origin: String) -> Int {
      response(options: options) { $0["Origin"] = origin }.status.code
    }
    #expect(status("https://b.org") == 101)
    #expect(status("https://a.org") == 403)
    options.origins = .matching { origin, request in origin == "x" && request.path == "/" }
    #expect(status("x") == 101)
    #expect(status("y") == 403)
    options.origins = .any
    #expect(status("null") == 101)
    let twice = response(options: options) {
      $0.append("Origin", "x")
      $0.append("Origin", "y")
    }
    #expect(twice.status == 403)
  }

  @Test func firstCommonProtocolIsChosen() {
    var options = WebSocketOptions()
    options.subprotocols = ["b", "c"]
    let chosen = response(options: options) { $0["Sec-WebSocket-Protocol"] = "a, c, b" }
    #expect(chosen.headers.values(of: "Sec-WebSocket-Protocol") == ["c"])
    let none = response(options: options) { $0["Sec-WebSocket-Protocol"] = "a, C" }
    #expect(none.status == 101)
    #expect(!none.headers.contains("Sec-WebSocket-Protocol"))
  }

  @Test func elementsOfExtensionsAreParsed() {
    let value = WebSocketExtensionValue("permessage-deflate; a; b=15; c=\"x\"")
    #expect(value?.name == "permessage-deflate")
    #expect(value?.parameters.map(\.name) == ["a", "b", "c"])
    #expect(value?.parameters.map(\.value) == [nil, "15", "x"])
    for text in ["", "a b", "a;", "a;;b", "a; b=", "a; =b", "a; b=\"\"", "a; b=\"x", "a; b=c=d"] {
      #expect(WebSocketExtensionValue(text) == nil, "\(text)")
    }
  }

  @Test func urlsAreParsed() throws {
    for (url, target) in [
      ("ws://a.org/live?x=1", "http://a.org/live?x=1"),
      ("WSS://[::1]:8443?x", "https://[::1]:8443?x"),
      ("ws://a.org:80", "http://a.org:80"),
    ] {
      #expect(HTTPClient.target(ofWebSocket: url) == target)
    }
    for text in [
      "http://a.org", "ws:/a.org", "ws://", "ws://a.org#b", "ws://a b", "ws://a.org/ b",
      "ws://u@a.org", "ws://a.org:0", "ws://a.org:65536", "ws://a\r\nb", "", "ws://:80",
    ] {
      #expect(HTTPClient.target(ofWebSocket: text) == nil, "\(text)")
    }
  }

  @Test func invalidDataHasItsCloseCode() {
    #expect(WebSocketError.invalidCompression.code == .invalidData)
    #expect(WebSocketError.invalidText.code == .invalidData)
  }
}
