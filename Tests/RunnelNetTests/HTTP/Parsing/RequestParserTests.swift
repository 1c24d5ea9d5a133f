import RunnelNet
import Testing

/// The result of parsing the head of a request, as a text.
private func outcome(of text: String, cut: Int? = nil, _ limits: HTTPLimits = HTTPLimits())
  -> String
{
  var parser = RequestParser(limits)
  defer { parser.deallocate() }
  var search = HeadSearch()
  let bytes = Array(text.utf8)
  // Every byte alone, or two parts.
  let ends = cut.map { $0 < 0 ? Array(1...bytes.count) : [$0, bytes.count] } ?? [bytes.count]
  return bytes.withUnsafeBytes { bytes in
    for end in ends {
      let part = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      do throws(HTTPParseError) {
        if let head = try parser.parse(part, &search) { return describe(head, in: bytes) }
      } catch {
        return "\(error.status.code)"
      }
    }
    return "incomplete"
  }
}

private func describe(_ head: RequestParser.Head, in bytes: UnsafeRawBufferPointer) -> String {
  let framing = head.framing
  var parts = [head.method, head.target].map { String(decoding: bytes[$0], as: UTF8.self) }
  if head.isVersion10 { parts.append("1.0") }
  if head.isAbsolute { parts.append("absolute") }
  switch framing.body {
  case .unspecified: break
  case .length(let length): parts.append("length \(length)")
  case .chunked: parts.append("chunked")
  }
  if framing.keepsConnection == head.isVersion10 {
    parts.append(head.isVersion10 ? "keep-alive" : "close")
  }
  switch framing.expectation {
  case .none: break
  case .continue: parts.append("continue")
  case .unknown: parts.append("unknown expectation")
  }
  if head.count != bytes.count { parts.append("\(bytes.count - head.count) left") }
  return parts.joined(separator: " ")
}

@Suite struct RequestParserTests {
  private static let valid: [(String, String)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /"),
    ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /"),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /"),
    ("GET / HTTP/1.0\r\n\r\n", "GET / 1.0"),
    // Queries of browsers and of programs, as the URL standard of WHATWG allows them.
    ("GET /?q=100% HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?q=100%"),
    ("GET /a%20?%&%z=%2&%00 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a%20?%&%z=%2&%00"),
    ("GET /?a\\b\\ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?a\\b\\"),
    ("GET /?{}|^`'?/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?{}|^`'?/"),
    ("GET /?\u{e9}=\u{1f600} HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?\u{e9}=\u{1f600}"),
    ("GET /?\u{301}/\\ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?\u{301}/\\"),
    ("GET http://a?%\\\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a?%\\\u{e9} absolute"),
    ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET /"),
    ("M-SEARCH /a%20b?c=d|e HTTP/1.1\r\nhOST:a\r\n\r\n", "M-SEARCH /a%20b?c=d|e"),
    // RFC 9112, sections 2.1 and 3.2.
    (
      "GET /hello.txt HTTP/1.1\r\nUser-Agent: curl/7.64.1\r\nHost: www.example.com\r\n"
        + "Accept-Language: en, mi\r\n\r\n", "GET /hello.txt"
    ),
    (
      "GET http://www.example.org/pub/WWW/TheProject.html HTTP/1.1\r\nHost: www.example.org\r\n\r\n",
      "GET http://www.example.org/pub/WWW/TheProject.html absolute"
    ),
    ("OPTIONS * HTTP/1.1\r\nHost: www.example.org:8001\r\n\r\n", "OPTIONS *"),
    ("OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n", "OPTIONS *"),
    ("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET /"),
    ("GET / HTTP/1.1\r\nHost:   a  \t\r\nX:\r\nY: \t\r\n\r\n", "GET /"),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: caf\u{e9}\ttab\r\n\r\n", "GET /"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde", "POST / length 5 5 left"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 007\r\n\r\n", "POST / length 7"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n", "POST / chunked"),
    // Empty elements of lists are ignored (RFC 9110, section 5.6.1.2).
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: , chunked\r\n\r\n", "POST / chunked"
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \t,, chunked ,\r\n\r\n", "POST / chunked"
    ),
    ("GET / HTTP/1.1\r\nHost: a\r\nExpect: , 100-continue,\r\n\r\n", "GET / continue"),
    // TE lists what the client accepts, and says nothing of the body.
    ("GET / HTTP/1.1\r\nHost: a\r\nTE: chunked, gzip\r\n\r\n", "GET /"),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTE: gzip\r\nContent-Length: 1\r\n\r\na",
      "POST / length 1 1 left"
    ),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade, ,CLOSE\r\nExpect: 100-Continue\r\n\r\n",
      "GET / close continue"
    ),
    ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / 1.0 keep-alive"),
    ("GET / HTTP/1.0\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n", "GET / 1.0"),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nExpect: x, 100-continue\r\n\r\n", "GET / unknown expectation"
    ),
  ]

  private static let invalid: [(String, Int)] = [
    // Line endings.
    ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400), ("GET / HTTP/1.1\rHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400), ("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("\r\n\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("\r\n\r\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n\rX\r\n\r\n", 400),
    // Request line.
    (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
    ("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\r\nHost: a\r\n\r\n\r\n", 400),
    ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/01.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1\r\nHost: a\r\n\r\n\r\n", 400), ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/+1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTQ/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /% HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%0 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /\\ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET //\"\" HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%?a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\\?a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%00?a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%2?5 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /?a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /?\" HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /?< HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /?\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /?\u{7f} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /?a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://a\\?b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://u@h/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", 400),
    ("\(String(repeating: "A", count: 33)) / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    // Host.
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a:port\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a:123456\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400), ("OPTIONS / HTTP/1.1\r\nHost: \r\n\r\n", 400),
    ("GET / HTTP/1.0\r\nHost:\r\n\r\n", 400), ("GET http://a/ HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: :80\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400),
    // Fields.
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\tc\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX@: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n\u{e9}: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7f}b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}\r\n\r\n", 400),
    // Lengths.
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5 5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\ncontent-length: 6\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n", 413),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ,\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;a\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: a=\", chunked\"\r\n\r\n", 400),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: , chunked\r\n\r\n",
      400
    ),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: , chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: , 5\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n", 400),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n", 400
    ),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
  ]

  @Test("Valid heads are parsed, in every split", arguments: valid)
  func validHeadsAreParsed(text: String, expected: String) {
    #expect(outcome(of: text) == expected)
    // With every byte alone, nothing behind the head has arrived at its end.
    #expect(outcome(of: text, cut: -1) == expected)
    for cut in 1..<text.utf8.count {
      #expect(outcome(of: text, cut: cut) == expected, "cut \(cut)")
    }
  }

  @Test("Invalid heads are refused, in every split", arguments: invalid)
  func invalidHeadsAreRefused(text: String, status: Int) {
    #expect(outcome(of: text) == "\(status)")
    #expect(outcome(of: text, cut: -1) == "\(status)")
    for cut in 1..<text.utf8.count {
      #expect(outcome(of: text, cut: cut) == "\(status)", "cut \(cut)")
    }
  }

  @Test(
    "A query whose bytes are not UTF-8 is refused",
    arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0x80]] as [[UInt8]])
  func invalidUTF8IsRefused(query: [UInt8]) {
    let text = Array("GET /?".utf8) + query + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var parser = RequestParser(HTTPLimits())
    defer { parser.deallocate() }
    var search = HeadSearch()
    #expect(throws: HTTPParseError.malformed("a query that is not UTF-8")) {
      _ = try text.withUnsafeBytes { try parser.parse($0, &search) }
    }
  }

  @Test(
    "Limits are exact, in one piece and byte by byte",
    arguments: [
      (line: 15, headers: 100, count: 9, 414), (line: 16, headers: 100, count: 9, nil),
      (line: 20, headers: 16, count: 9, 431), (line: 20, headers: 17, count: 9, nil),
      (line: 20, headers: 100, count: 1, 431), (line: 20, headers: 100, count: 2, nil),
    ] as [(line: Int, headers: Int, count: Int, Int?)])
  func limitsAreExact(line: Int, headers: Int, count: Int, status: Int?) {
    // The line has 16 bytes, and the fields have 17 with the empty line. Empty lines do not count.
    let text = "GET /ab HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\n"
    var limits = HTTPLimits()
    limits.startLine = line
    limits.headers = headers
    limits.headerCount = count
    let expected = status.map { "\($0)" } ?? "GET /ab"
    for lead in ["", "\r\n", "\r\n\r\n"] {
      for cut in [nil, -1, 3, 20] {
        #expect(outcome(of: lead + text, cut: cut, limits) == expected)
      }
    }
  }

  @Test("Bytes without an end are refused at the limit", arguments: ["A", "GET /", "\r\n"])
  func endlessHeadsAreRefused(start: String) {
    var limits = HTTPLimits()
    limits.startLine = 64
    let text = start + String(repeating: "a", count: 200)
    #expect(["400", "414"].contains(outcome(of: text, limits)))
    #expect(["400", "414"].contains(outcome(of: text, cut: -1, limits)))
    let fields = "GET / HTTP/1.1\r\nHost: " + String(repeating: "a", count: 40_000)
    #expect(outcome(of: fields) == "431")
    #expect(outcome(of: fields, cut: 39_000) == "431")
  }

  @Test("The largest limits do not overflow")
  func largestLimitsAreAccepted() {
    var limits = HTTPLimits()
    limits.startLine = .max
    limits.headers = .max
    for cut in [nil, -1, 5, 20] {
      #expect(outcome(of: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", cut: cut, limits) == "GET /")
      #expect(outcome(of: "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", cut: cut, limits) == "GET /")
      let late = "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(outcome(of: late, cut: cut, limits) == "GET /")
    }
  }
}
