import RunnelTesting
import Testing

@testable import RunnelNet

/// The parts of a body as text, after its pieces were parsed; nil if the last boundary is missing.
private func parse(
  _ pieces: [[UInt8]], boundary: String = "b", _ limits: MultipartLimits = MultipartLimits()
) throws -> [String]? {
  var parser = try #require(MultipartParser(boundary: boundary, limits))
  var parts: [String] = []
  var content: [UInt8] = []
  for piece in pieces {
    parser.append(piece)
    while let event = try parser.next() {
      switch event {
      case .begin(let head):
        parts.append("\(head.name)|\(head.fileName ?? "-")|")
        content = []
      case .bytes(let bytes):
        #expect(!bytes.isEmpty)
        content += bytes
      case .end: parts[parts.count - 1] += String(decoding: content, as: UTF8.self)
      }
    }
  }
  return parser.isFinished ? parts : nil
}

/// The pieces of a size of some bytes.
private func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

private let name = "Content-Disposition: form-data; name=a"

@Suite struct MultipartParserTests {
  private static let whole = """
    --b
    Content-Disposition: form-data; name="first"

    1
    --b \t
    content-disposition: Form-Data; name=file; filename="C:\\x\\y.txt"
    Content-Type: text/plain

    line

    --not
    --
    -
    --b
    Content-Disposition: form-data; name="a\\"b"


    --b--

    """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")

  private static let parts = [
    "first|-|1", "file|C:\\x\\y.txt|line\r\n\r\n--not\r\n--\r\n-", "a\"b|-|",
  ]

  @Test func everySplitGivesTheSameParts() throws {
    let bytes = Array(Self.whole.utf8)
    for size in 1...bytes.count { #expect(try parse(pieces(bytes, size)) == Self.parts) }
    for place in 0...bytes.count {
      #expect(try parse([Array(bytes[..<place]), Array(bytes[place...])]) == Self.parts)
    }
  }

  @Test func everyPrefixIsIncomplete() throws {
    let bytes = Array(Self.whole.utf8)
    let end = bytes.count - 2
    for count in 0..<end { #expect(try parse([Array(bytes[..<count])]) == nil) }
    #expect(try parse([Array(bytes[..<end])]) == Self.parts)
    #expect(try parse([Array(("\r\n" + Self.whole).utf8)]) == Self.parts)
    #expect(try parse([Array("--b--".utf8)]) == [])
  }

  @Test("Random bodies give the parts that they were made of")
  func randomBodiesAreParsed() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    // Bytes that delimiters consist of, so that beginnings of them are frequent.
    let alphabet = Array("\r\n-bc".utf8)
    for _ in 0..<400 {
      let boundary = "b-b"
      var body: [UInt8] = []
      var expected: [String] = []
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        var content = (0..<Int.random(in: 0...30, using: &random)).map { _ in
          alphabet.randomElement(using: &random)!
        }
        let text = String(decoding: [13, 10] + content, as: UTF8.self)
        if text.utf8.elementsEqual([13, 10] + content),
          contains(Array("\r\n--b-b".utf8), [13, 10] + content)
        {
          content = []
        }
        body += Array("--\(boundary)\r\n\(name)\r\n\r\n".utf8) + content + [13, 10]
        expected.append("a|-|" + String(decoding: content, as: UTF8.self))
      }
      body += Array("--\(boundary)--\r\n".utf8)
      let size = Int.random(in: 1...9, using: &random)
      let result = try parse(pieces(body, size), boundary: boundary)
      #expect(result == expected, "seed \(seed)")
    }
  }

  @Test("Damaged bodies give the same result in every split")
  func damagedBodiesAreSplitAlike() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let bytes = Array(Self.whole.utf8)
    let damage = Array("\r\n-b:;=\" \0a".utf8)
    var refusals = 0
    for _ in 0..<2_000 {
      var body = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: body[place] = damage.randomElement(using: &random)!
        case 1: body.insert(damage.randomElement(using: &random)!, at: place)
        default: body.remove(at: place)
        }
      }
      let whole = Result { try parse([body]) }
      let size = Int.random(in: 1...5, using: &random)
      let split = Result { try parse(pieces(body, size)) }
      #expect((try? whole.get()) == (try? split.get()), "seed \(seed)")
      if case .failure = whole {
        refusals += 1
        #expect(throws: MultipartError.self, "seed \(seed)") { try split.get() }
      }
    }
    #expect(refusals > 100)
  }

  private func contains(_ part: [UInt8], _ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(arguments: [
    "", " ", "x", "-b", "--c", "--b", "--bc\r\n", "--b-", "--b-x", "--b\n", "--b\rx", "--b x\r\n",
    "\n--b\r\n", "\r\n\r\n--b\r\n", "preamble\r\n--b\r\n",
    "--b" + String(repeating: " ", count: 65) + "\r\n",
    "--b\r\n\r\n", "--b\r\n\r\nx\r\n--b--", "--b\r\nContent-Type: a/b\r\n\r\nx",
    "--b\r\nContent-Disposition: form-data\r\n\r\n",
    "--b\r\nContent-Disposition: attachment; name=a\r\n\r\n",
    "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n",
    "--b\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n",
    "--b\r\nContent-Disposition: form-data; name=a; filename\r\n\r\n",
    "--b\r\n\(name)\r\n\(name)\r\n\r\n",
    "--b\r\n\(name)\r\n folded\r\n\r\n", "--b\r\n\(name)\r\nX : y\r\n\r\n",
    "--b\r\n\(name)\r\n: y\r\n\r\n", "--b\r\n\(name)\r\nX\r\n\r\n", "--b\r\n\(name)\nX: y\r\n\r\n",
    "--b\r\n\(name)\r\nX: \0\r\n\r\n", "--b\r\n\(name)\r\nX: \r\r\n\r\n",
    "--b\r\n" + String(repeating: "X: y\r\n", count: 17) + "\r\n",
    "--b\r\n\(name)\r\n\r\nx\r\n--bX", "--b\r\n\(name)\r\n\r\nx\r\n--b-\r\n",
    "--b--x", "--b--\r\nepilogue", "--b--\r\n--b\r\n",
  ])
  func malformedBodiesAreRefused(_ text: String) throws {
    for size in [1, 2, 7, 10_000] {
      var isRefused = false
      do {
        isRefused = try parse(pieces(Array(text.utf8), size)) == nil
      } catch let error as MultipartError {
        if case .malformed = error { isRefused = true }
      }
      #expect(isRefused, "\(size)")
    }
  }

  @Test func invalidUTF8InHeadersIsRefused() {
    #expect(throws: MultipartError.self) {
      try parse([Array("--b\r\n\(name)\r\nX: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)])
    }
  }

  @Test func boundariesAreChecked() {
    let limits = MultipartLimits()
    for valid in ["a", "0aZ'()+_,-./:=?", "a b", String(repeating: "x", count: 70)] {
      #expect(MultipartParser(boundary: valid, limits) != nil)
    }
    for invalid in ["", "a ", "a\"", "a\r\nb", "é", "a;b", String(repeating: "x", count: 71)] {
      #expect(MultipartParser(boundary: invalid, limits) == nil)
    }
  }

  @Test func partsAndHeadersAreLimited() throws {
    var limits = MultipartLimits()
    limits.parts = 2
    limits.headers = name.utf8.count + 4
    let part = "--b\r\n\(name)\r\n\r\n\r\n"
    for size in [1, 3, 1_000] {
      #expect(try parse(pieces(Array((part + part + "--b--").utf8), size), limits)?.count == 2)
      #expect(throws: MultipartError.tooManyParts(limit: 2)) {
        try parse(pieces(Array((part + part + part).utf8), size), limits)
      }
      let long = "--b\r\n\(name)\r\nX: y\r\n\r\n"
      #expect(throws: MultipartError.headTooLong(limit: limits.headers)) {
        try parse(pieces(Array(long.utf8), size), limits)
      }
      let endless = "--b\r\n" + String(repeating: "x", count: 100)
      #expect(throws: MultipartError.headTooLong(limit: limits.headers)) {
        try parse(pieces(Array(endless.utf8), size), limits)
      }
    }
  }

  private func parse(_ pieces: [[UInt8]], _ limits: MultipartLimits) throws -> [String]? {
    try RunnelNetTests.parse(pieces, boundary: "b", limits)
  }

  private func parse(_ pieces: [[UInt8]], boundary: String = "b") throws -> [String]? {
    try RunnelNetTests.parse(pieces, boundary: boundary)
  }
}
