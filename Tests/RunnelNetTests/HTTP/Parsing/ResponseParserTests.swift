import Testing

@testable import RunnelNet

/// The result of parsing the bytes of a whole connection.
private enum Outcome: Equatable {
  case response(Int, [String], body: String)
  case incomplete
  case error(HTTPParseError)
}

/// Parses responses whose bytes arrive in pieces that end at some offsets.
private func parse(
  _ text: String, endingAt ends: [Int], isForHead: Bool = false,
  _ limits: HTTPLimits = HTTPLimits()
) -> [Outcome] {
  let bytes = Array(text.utf8)
  var parser = ResponseParser(limits)
  defer { parser.deallocate() }
  var outcomes: [Outcome] = []
  var start = 0
  var current: (ResponseParser.Head, HTTPHeaders, BodyDecoder)?
  var body: [UInt8] = []
  func finish() {
    guard let (head, headers, _) = current else { return }
    outcomes.append(
      .response(
        head.status.code, headers.map { "\($0.name)=\($0.value)" },
        body: String(decoding: body, as: UTF8.self)))
    current = nil
    body = []
  }
  do {
    for end in ends + [bytes.count] {
      while start < end {
        let before = start
        // An allocation of the exact size, so that AddressSanitizer finds a read beyond it.
        let piece = Array(bytes[start..<end])
        if current == nil {
          let parsed = try piece.withUnsafeBytes {
            piece -> (ResponseParser.Head, HTTPHeaders)? in
            guard let head = try parser.parse(piece) else { return nil }
            return (head, parser.headers(of: piece, head))
          }
          guard let (head, headers) = parsed else { break }
          start += head.count
          current = (head, headers, try parser.body(of: head, isForHead: isForHead))
        } else {
          var used = 0
          try piece.withUnsafeBytes { piece in
            while let part = try current?.2.next(piece, &used) { body += part }
          }
          start += used
        }
        if current?.2.isComplete == true { finish() } else if start == before { break }
      }
    }
    if current?.2.endsWithConnection == true {
      finish()
    } else if current != nil || start < bytes.count {
      outcomes.append(.incomplete)
    }
  } catch let error as HTTPParseError {
    outcomes.append(.error(error))
  } catch {
    Issue.record("\(error)")
  }
  return outcomes
}

/// Checks that the result is the same in one piece, in every two pieces, and byte by byte.
private func check(
  _ text: String, _ expected: [Outcome], isForHead: Bool = false,
  limits: HTTPLimits = HTTPLimits(), location: SourceLocation = #_sourceLocation
) {
  let count = text.utf8.count
  let splits = [[], Array(1..<max(1, count))] + (0...count).map { [$0] }
  for split in splits {
    let outcome = parse(text, endingAt: split, isForHead: isForHead, limits)
    #expect(outcome == expected, "pieces end at \(split)", sourceLocation: location)
    if outcome != expected { return }
  }
}

@Suite struct ResponseParserTests {
  @Test func statusLinesAreParsed() {
    let length = "Content-Length: 0\r\n\r\n"
    for (line, code) in [
      ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 404 Not Found", 404), ("HTTP/1.0 200 OK", 200),
      ("HTTP/1.7 200 OK", 200), ("HTTP/1.1 599 ", 599), ("HTTP/1.1 200", 200),
      ("HTTP/1.1 999 \u{e9}\t!", 999),
    ] {
      check(line + "\r\n" + length, [.response(code, ["Content-Length=0"], body: "")])
    }
  }

  @Test(arguments: [
    "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
    "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK", "HTTP/1.1 200\tOK", "HTTP/11 200 OK", "HTTP/1.10 200 OK",
    "http/1.1 200 OK", " HTTP/1.1 200 OK", "\r\nHTTP/1.1 200 OK", "ICY 200 OK", "HTTP/1.1 200 O\0K",
    "HTTP/1.1 200 O\u{7f}K", "HTTP/1.1 2x0 OK", "HTTP/1.1 -20 OK", "GET / HTTP/1.1",
  ])
  func invalidStatusLinesAreRefused(line: String) {
    check(line + "\r\nA: b\r\n\r\n", [.error(.malformed(reason(of: line)))])
  }

  private func reason(of line: String) -> String {
    line.contains("099") ? "an invalid status" : "an invalid status line"
  }

  @Test func otherVersionsAreRefused() {
    for version in ["HTTP/2.0", "HTTP/0.9", "HTTP/3.0"] {
      check("\(version) 200 OK\r\n\r\n", [.error(.unsupportedVersion)])
    }
  }

  @Test func lineFeedsAndReturnsAloneAreRefused() {
    check(
      "HTTP/1.1 200 OK\nA: b\r\n\r\n",
      [
        .error(.malformed("a line feed without a carriage return"))
      ])
    check(
      "HTTP/1.1 200 OK\rA: b\r\n\r\n",
      [
        .error(.malformed("a carriage return is not followed by a line feed"))
      ])
    check("HTTP/1.1 200\n\r\n", [.error(.malformed("a line feed without a carriage return"))])
    check(
      "HTTP/1.1 200 OK\r\nA: b\n\r\n",
      [
        .error(.malformed("a line feed without a carriage return"))
      ])
    check(
      "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
      [
        .error(.malformed("a space before a colon, or a folded header line"))
      ])
  }

  @Test func lengthsAreStrict() {
    func check(_ fields: String, _ error: HTTPParseError) {
      RunnelNetTests.check("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabc", [.error(error)])
    }
    check("Content-Length: 3\r\nContent-Length: 4", .malformed("several Content-Length fields"))
    check("Content-Length: 3\r\nContent-Length: 3", .malformed("several Content-Length fields"))
    check("Content-Length: 3, 3", .malformed("an invalid Content-Length"))
    check("Content-Length: +3", .malformed("an invalid Content-Length"))
    check("Content-Length: 0x3", .malformed("an invalid Content-Length"))
    check(
      "Content-Length: 3\r\nTransfer-Encoding: chunked",
      .malformed("both Content-Length and Transfer-Encoding"))
    check("Transfer-Encoding: gzip, chunked", .unknownTransferCoding)
    for codings in ["identity", "chunked, gzip", ",", ""] {
      check(
        "Transfer-Encoding: \(codings)", .malformed("chunked is not the last transfer coding"))
    }
    check("Transfer-Encoding: chunked, chunked", .malformed("the body is chunked twice"))
  }

  @Test func chunksInVersion10AreRefused() {
    check(
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      [
        .error(.malformed("a chunked body in HTTP/1.0"))
      ])
  }

  @Test func bodiesEndAsTheirHeadSays() {
    check(
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 500 Error\r\nContent-Length: 1\r\n\r\nd",
      [
        .response(200, ["Content-Length=3"], body: "abc"),
        .response(500, ["Content-Length=1"], body: "d"),
      ])
    check(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=\"y\"\r\nc\r\n0\r\nT: u\r\n\r\n",
      [.response(200, ["Transfer-Encoding=chunked"], body: "abc")])
    check(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: , chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
      [.response(200, ["Transfer-Encoding=, chunked"], body: "a")])
    check("HTTP/1.1 200 OK\r\n\r\nall of it", [.response(200, [], body: "all of it")])
    check("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", [.incomplete])
    check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", [.incomplete])
    check("HTTP/1.1 200 OK\r\nContent-Len", [.incomplete])
  }

  @Test func chunksAreStrict() {
    for (chunks, reason) in [
      ("x\r\n", "an invalid chunk size"), ("\r\n", "an invalid chunk size"),
      ("1\r\nabc\r\n", "no line ending after a chunk"), (" 1\r\na\r\n", "an invalid chunk size"),
      ("1\na\r\n", "a control character in a chunk extension"),
    ] {
      check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n",
        [.error(.malformed(reason))])
    }
  }

  @Test func someResponsesHaveNoBody() {
    for (line, code) in [("204 No Content", 204), ("304 Not Modified", 304), ("100 Continue", 100)]
    {
      check(
        "HTTP/1.1 \(line)\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
        [
          .response(code, ["Content-Length=5"], body: ""),
          .response(200, ["Content-Length=1"], body: "a"),
        ])
    }
    check(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      [.response(200, ["Transfer-Encoding=chunked"], body: "")], isForHead: true)
  }

  @Test func limitsHoldInEverySplit() {
    var limits = HTTPLimits()
    limits.startLine = 40
    limits.headers = 60
    limits.headerCount = 3
    limits.body = 8
    let start = "HTTP/1.1 200 OK\r\n"
    let long = String(repeating: "a", count: 70)
    check("HTTP/1.1 200 \(long)\r\n\r\n", [.error(.startLineTooLong)], limits: limits)
    check("\(start)A: \(long)\r\n\r\n", [.error(.headersTooLarge)], limits: limits)
    check(
      "\(start)A: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n", [.error(.headersTooLarge)], limits: limits)
    check(
      "\(start)Content-Length: 9\r\n\r\n123456789", [.error(.bodyTooLarge(limit: 8))],
      limits: limits)
    check("\(start)\r\n123456789", [.error(.bodyTooLarge(limit: 8))], limits: limits)
    check(
      "\(start)Transfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n1\r\n9\r\n0\r\n\r\n",
      [.error(.bodyTooLarge(limit: 8))], limits: limits)
  }

  @Test("The largest limits do not overflow")
  func largestLimitsAreAccepted() {
    var limits = HTTPLimits()
    limits.startLine = .max
    limits.headers = .max
    limits.body = .max
    limits.chunkExtension = .max
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nA: b\r\n\r\n"
    let expected = parse(text, endingAt: [])
    #expect(expected.count == 1)
    #expect(parse(text, endingAt: Array(1..<text.utf8.count), limits) == expected)
  }
}
