import RunnelNet
import RunnelTesting
import Testing

/// The pieces of a body that arrives in parts, the number of bytes behind it, and its trailers; or
/// the status of the error.
private func decode(
  _ text: String, ends: [Int], length: Int? = nil, _ limits: HTTPLimits = HTTPLimits()
) -> String {
  let bytes = Array(text.utf8)
  var fields = "POST / HTTP/1.1\r\nHost: a\r\n"
  fields += length.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n"
  var parser = RequestParser(HTTPLimits())
  defer { parser.deallocate() }
  return bytes.withUnsafeBytes { bytes in
    do throws(HTTPParseError) {
      var search = HeadSearch()
      var framing: MessageFraming?
      let head = Array(fields.utf8)
      var error: HTTPParseError?
      head.withUnsafeBytes { head in
        do throws(HTTPParseError) {
          framing = try parser.parse(head, &search)?.framing
        } catch let thrown {
          error = thrown
        }
      }
      if let error { throw error }
      guard let framing else { return "no head" }
      var decoder = try BodyDecoder(framing, limits)
      var body: [UInt8] = []
      var offset = 0
      for end in ends {
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        while let piece = try decoder.next(part, &offset) { body += piece }
        if decoder.isComplete { break }
      }
      guard decoder.isComplete else { return "incomplete" }
      var result = String(decoding: body, as: UTF8.self)
      if offset < bytes.count { result += " +\(bytes.count - offset)" }
      for (name, value) in decoder.trailers { result += " \(name)=\(value)" }
      return result
    } catch {
      return "\(error.status.code)"
    }
  }
}

@Suite struct BodyDecoderTests {
  private static let chunked: [(String, String)] = [
    ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
    ("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\nGET", "hello world +3"),
    ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("0005\r\nhello\r\n000\r\n\r\n", "hello"),
    ("5;a\r\nhello\r\n0;b=c\r\n\r\n", "hello"),
    ("5;a=\"\";b=\"\\\\\"\r\nhello\r\n0\r\n\r\n", "hello"),
    ("5 ; a = \"x;y\\\"\" ;b\r\nhello\r\n0\r\n\r\n", "hello"),
    ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
    ("1\r\na\r\n0\r\nX-Sum: 7\r\nY:\r\n\r\n", "a X-Sum=7 Y="),
    ("1\r\na\r\n0\r\nX: 7\r\n\r\nGET /", "a +5 X=7"),
    ("g\r\n", "400"), ("\r\n", "400"), ("+5\r\nhello\r\n0\r\n\r\n", "400"),
    ("-5\r\nhello\r\n0\r\n\r\n", "400"), ("0x5\r\nhello\r\n0\r\n\r\n", "400"),
    (" 5\r\nhello\r\n0\r\n\r\n", "400"), ("5 \r\nhello\r\n0\r\n\r\n", "400"),
    ("5 5\r\nhello\r\n0\r\n\r\n", "400"), ("5\nhello\r\n0\r\n\r\n", "400"),
    ("5\r\nhello\n0\r\n\r\n", "400"), ("5\r\nhelloo\r\n0\r\n\r\n", "400"),
    ("5\r\nhello\r\r0\r\n\r\n", "400"), ("5\rhello\r\n0\r\n\r\n", "400"),
    ("5;\r\nhello\r\n0\r\n\r\n", "400"), ("5;;a\r\nhello\r\n0\r\n\r\n", "400"),
    ("5;a;\r\nhello\r\n0\r\n\r\n", "400"), ("5;a; ;b\r\nhello\r\n0\r\n\r\n", "400"),
    ("5 ;\r\nhello\r\n0\r\n\r\n", "400"), ("5;a \r\nhello\r\n0\r\n\r\n", "400"),
    ("5;a=b \r\nhello\r\n0\r\n\r\n", "400"), ("5;a=\"b\"c\"\r\nhello\r\n0\r\n\r\n", "400"),
    ("5;a=\"b\\\"\r\nhello\r\n0\r\n\r\n", "400"), ("5;a=b=c\r\nhello\r\n0\r\n\r\n", "400"),
    ("0;\r\n\r\n", "400"), ("5;=a\r\nhello\r\n0\r\n\r\n", "400"),
    ("5;a=\r\nhello\r\n0\r\n\r\n", "400"), ("5;a b\r\nhello\r\n0\r\n\r\n", "400"),
    ("5;a=\"b\r\nhello\r\n0\r\n\r\n", "400"), ("5;a\0\r\nhello\r\n0\r\n\r\n", "400"),
    ("5;a\n\r\nhello\r\n0\r\n\r\n", "400"), ("1000000000000000\r\n", "400"),
    ("FFFFFFFFFFFFFFF\r\n", "413"), ("0\r\nX : a\r\n\r\n", "400"),
    ("0\r\nContent-Length: 3\r\n\r\nabc", "400"), ("0\r\nHost: b\r\n\r\n", "400"),
    ("0\r\nX: a\n\r\n\r\n", "400"), ("0\r\n X: a\r\n\r\n", "400"),
    ("0\r\nX: a\r\n\r\n\r\n", " +2 X=a"),
    // Fields that would change the meaning of the body are dropped.
    ("0\r\nContent-Type: text/html\r\n\r\n", ""),
    ("0\r\nX: a\r\ncontent-type: b\r\nContent-Encoding: gzip\r\nY: c\r\n\r\n+", " +1 X=a Y=c"),
    ("0\r\nContent-Type: a\r\nTransfer-Encoding: chunked\r\n\r\n", "400"),
  ]

  @Test("Chunked bodies are decoded or refused, in every split", arguments: chunked)
  func chunkedBodies(text: String, expected: String) {
    let count = text.utf8.count
    #expect(decode(text, ends: [count]) == expected)
    #expect(decode(text, ends: Array(1...count)) == expected)
    for cut in 1..<max(2, count) { #expect(decode(text, ends: [cut, count]) == expected) }
  }

  @Test func plainBodiesEndAtTheirLength() {
    for ends in [[8], [1, 2, 3, 4, 5, 6, 7, 8], [5, 8], [4, 8]] {
      #expect(decode("hello+++", ends: ends, length: 5) == "hello +3")
    }
    #expect(decode("x", ends: [1], length: 0) == " +1")
    #expect(decode("hel", ends: [3], length: 5) == "incomplete")
  }

  @Test func largeBodiesAreRefused() {
    var limits = HTTPLimits()
    limits.body = 5
    #expect(decode("hello", ends: [5], length: 5, limits) == "hello")
    #expect(decode("hello!", ends: [6], length: 6, limits) == "413")
    #expect(decode("3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", ends: [20], limits) == "hello")
    #expect(decode("3\r\nhel\r\n3\r\nlo!\r\n0\r\n\r\n", ends: [21], limits) == "413")
  }

  @Test func longExtensionsAreRefused() {
    var limits = HTTPLimits()
    limits.chunkExtension = 10
    let text = "1;\(String(repeating: "a", count: 9))\r\nx\r\n0\r\n\r\n"
    #expect(decode(text, ends: [text.utf8.count], limits) == "x")
    limits.chunkExtension = 9
    #expect(decode(text, ends: [text.utf8.count], limits) == "400")
    // Without an end of the line.
    #expect(decode("1;aaaaaaaaaaaaaaaa", ends: Array(1...18), limits) == "400")
  }

  @Test func longTrailersAreRefused() {
    let text = "0\r\nX: " + String(repeating: "a", count: 40_000)
    #expect(decode(text, ends: [text.utf8.count]) == "431")
    #expect(decode(text, ends: [10, 20_000, text.utf8.count]) == "431")
    let many = "0\r\n" + String(repeating: "X: a\r\n", count: 101) + "\r\n"
    #expect(decode(many, ends: [many.utf8.count]) == "431")
  }

  @Test(
    "Random bodies in random chunks and splits are what was sent",
    arguments: seeds(7) as Range<UInt64>)
  func randomBodies(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      var text = ""
      var body = ""
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let piece = String(
          (0..<Int.random(in: 1..<40, using: &random)).map { _ in
            "abc\r\n;0".randomElement(using: &random)!
          })
        body += piece
        text +=
          String(piece.utf8.count, radix: 16, uppercase: .random(using: &random))
          + "\r\n\(piece)\r\n"
      }
      text += "0\r\n\r\n"
      var ends: [Int] = []
      var end = 0
      while end < text.utf8.count {
        end = min(text.utf8.count, end + Int.random(in: 1..<12, using: &random))
        ends.append(end)
      }
      #expect(decode(text, ends: ends) == body)
    }
  }
}
