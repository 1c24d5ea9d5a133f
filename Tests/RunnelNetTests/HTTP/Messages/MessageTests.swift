import RunnelNet
import RunnelTesting
import Testing

@Suite struct HTTPHeadersTests {
  @Test func namesHaveNoCase() {
    var headers: HTTPHeaders = ["Content-Type": "a", "X": "1", "x": "2"]
    #expect(headers["CONTENT-TYPE"] == "a" && headers["Y"] == nil)
    #expect(headers.values(of: "X") == ["1", "2"])
    headers["x"] = "3"
    #expect(headers.values(of: "X") == ["3"] && headers.count == 2)
    headers["Content-type"] = nil
    #expect(headers.map(\.name) == ["x"])
    headers.setDefault("X", "4")
    headers.setDefault("Y", "5")
    #expect(headers.description == "x: 3\nY: 5")
    #expect(headers == ["X": "3", "y": "5"] && headers != ["X": "3", "y": "6"])
  }

  @Test("A value cannot add fields")
  func valuesAreHarmless() {
    let headers: HTTPHeaders = ["X": "a\r\nSet-Cookie: b\0\u{7f}\t"]
    #expect(headers["X"] == "a  Set-Cookie: b  \t")
  }

  private static let wrongNames = ["", "a b", "a:", "\u{e9}", "a\n", "\r\nSet-Cookie"]

  @Test("A wrong name traps, and the message names the form that throws", arguments: wrongNames)
  func wrongNamesTrap(name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name] in
      var headers = HTTPHeaders()
      headers[name] = ""
    }
    #expect(result.says("set(validating:_:)"))
  }

  @Test("A wrong name from outside throws and changes nothing", arguments: wrongNames)
  func wrongNamesFromOutsideThrow(name: String) {
    var headers: HTTPHeaders = ["A": "1"]
    #expect(throws: HTTPHeaderError.invalidName(name)) {
      try headers.append(validating: name, "2")
    }
    #expect(throws: HTTPHeaderError.invalidName(name)) { try headers.set(validating: name, "2") }
    #expect(headers == ["A": "1"])
  }

  @Test(
    "A value from outside has no control characters",
    arguments: ["a\r\nSet-Cookie: b", "\n", "a\0", "\u{7f}"])
  func wrongValuesFromOutsideThrow(value: String) {
    var headers: HTTPHeaders = ["A": "1"]
    #expect(throws: HTTPHeaderError.invalidValue(of: "a")) {
      try headers.append(validating: "a", value)
    }
    #expect(throws: HTTPHeaderError.invalidValue(of: "a")) {
      try headers.set(validating: "a", value)
    }
    #expect(headers == ["A": "1"])
  }

  @Test func fieldsFromOutsideAreAdded() throws {
    var headers: HTTPHeaders = ["A": "1"]
    try headers.append(validating: "a", "caf\u{e9}\t")
    #expect(headers.values(of: "A") == ["1", "caf\u{e9}\t"])
    try headers.set(validating: "a", "2")
    #expect(headers.values(of: "A") == ["2"])
  }

  @Test(arguments: [
    ("a, b ,,c", ["a", "b", "c"]), ("", []), (" , ", []), ("\"a,b\", c", ["\"a,b\"", "c"]),
    ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"open, a", ["\"open, a"]),
  ])
  func listsAreSplit(value: String, expected: [String]) {
    let headers: HTTPHeaders = ["X": value]
    #expect(headers.elements(of: "x") == expected)
  }
}

@Suite struct HTTPStatusTests {
  @Test(arguments: [Int.min, -200, 0, 99, 1_000, .max])
  func wrongCodesFromOutsideAreNil(code: Int) {
    #expect(HTTPStatus(exactly: code) == nil)
  }

  @Test func codesOfThreeDigitsAreStatuses() {
    for code in [100, 200, 599, 999] { #expect(HTTPStatus(exactly: code)?.code == code) }
  }

  @Test("A wrong code traps, and the message names the form that returns nil")
  func wrongCodesTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HTTPStatus(0)
    }
    #expect(result.says("HTTPStatus(exactly:)"))
  }
}

@Suite struct HTTPQueryTests {
  @Test(arguments: [
    ("a=b&c=d", [["a", "b"], ["c", "d"]]), ("a", [["a", ""]]), ("a=", [["a", ""]]),
    ("=b", [["", "b"]]), ("a=b=c", [["a", "b=c"]]), ("&&a=1&", [["a", "1"]]),
    ("a+b=%20+%2B", [["a b", "  +"]]), ("a=%C3%A9%zz", [["a", "\u{e9}%zz"]]),
    ("a=%C3%A9", [["a", "\u{e9}"]]), ("a=100%&b=%", [["a", "100%"], ["b", "%"]]),
    ("a=%4%41", [["a", "%4A"]]), ("a=%%41", [["a", "%A"]]), ("\\=\u{e9}", [["\\", "\u{e9}"]]),
    ("a=%ff", [["a", "\u{fffd}"]]), ("", []),
  ])
  func queriesAreParsed(text: String, expected: [[String]]) {
    #expect(HTTPQuery(text).pairs.map { [$0.name, $0.value] } == expected)
  }

  @Test func queriesRoundTrip() {
    let query: HTTPQuery = ["a b": "c&d=e", "\u{e9}": "+%", "x": "1", "x": "2"]
    #expect(query.description == "a%20b=c%26d%3De&%C3%A9=%2B%25&x=1&x=2")
    #expect(
      HTTPQuery(query.description).pairs.map { [$0.name, $0.value] }
        == query.pairs.map { [$0.name, $0.value] })
    #expect(query["x"] == "1" && query.values(of: "x") == ["1", "2"] && query["y"] == nil)
  }

  @Test func requestHasPathAndQuery() {
    let request = HTTPRequest(.get, "/a?b=c?d")
    #expect(request.path == "/a" && request.query["b"] == "c?d")
    #expect(HTTPRequest(.get, "/a").query.pairs.isEmpty)
    // A combining mark after the question mark forms one character with it.
    let marked = HTTPRequest(.get, "/a?\u{301}=b")
    #expect(marked.path == "/a" && marked.query["\u{301}"] == "b")
  }
}

@Suite struct HTTPDateTests {
  @Test(
    "The three forms of RFC 9110 are read",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func formsAreRead(text: String) {
    #expect(HTTPDate(text)?.seconds == 784_111_777)
    #expect(HTTPDate(text)?.description == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:+9:37 GMT", "784111777",
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun 06 Nov 1994 08:49:37 GMT",
  ])
  func otherTextsAreRefused(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test(arguments: seeds(7) as Range<UInt64>)
  func datesRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let date = HTTPDate(seconds: .random(in: -62_167_219_200...253_402_300_799, using: &random))
      #expect(HTTPDate("\(date)") == date)
    }
    #expect(HTTPDate(seconds: .min).description == "Sat, 01 Jan 0000 00:00:00 GMT")
    #expect(HTTPDate(seconds: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
  }
}
