import RunnelNet
import Testing

@Suite struct HTTPURLTests {
  @Test func partsAreParsed() throws {
    let url = try #require(HTTPURL("HTTP://Example.ORG:8080/a/b%20c?d=e&f#g"))
    #expect(url.scheme == .http)
    #expect(url.host == "example.org")
    #expect(url.port == 8080)
    #expect(url.path == "/a/b%20c")
    #expect(url.query == "d=e&f")
    #expect(url.target == "/a/b%20c?d=e&f")
    #expect(url.authority == "example.org:8080")
    #expect("\(url)" == "http://example.org:8080/a/b%20c?d=e&f")
  }

  @Test(
    "A missing part has its usual value",
    arguments: [
      ("http://a", "http://a/"), ("https://a", "https://a/"), ("http://a:80/", "http://a/"),
      ("https://a:443/b", "https://a/b"), ("https://a:80/b", "https://a:80/b"),
      ("http://a:/b", "http://a/b"), ("http://a?b", "http://a/?b"), ("http://a#b", "http://a/"),
      ("http://a/?", "http://a/?"), ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
      ("http://[::1]", "http://[::1]/"), ("http://127.0.0.1:9/x", "http://127.0.0.1:9/x"),
      ("http://a_b.example./", "http://a_b.example./"),
    ])
  func missingPartsHaveUsualValues(text: String, expected: String) {
    #expect(HTTPURL(text)?.description == expected)
  }

  @Test(
    "A query is kept as browsers send it",
    arguments: ["q=100%", "%zz&%2", "a\\b", "{}|^`'", "?/:@"])
  func queriesAreKept(query: String) throws {
    let url = try #require(HTTPURL("http://a/b?\(query)#c%"))
    #expect(url.query == query)
    #expect("\(url)" == "http://a/b?\(query)")
    #expect(url.resolving("?\(query)#%") == url)
    #expect(url.resolving("//a/b?\(query)") == url)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "a", "/a", "//a/b", "http:", "http:/a", "http:a", "http://", "http:///a", "http://:80/",
      "ftp://a/", "file:///a", "mailto:a@b", "http://user@a/", "http://user:word@a/",
      "http://a@b@c/",
      "http://a:0/", "http://a:65536/", "http://a:-1/", "http://a:8x/", "http://a:000080/",
      "http://a b/", "http://a/b c", "http://a/\u{e9}", "http://\u{e9}/", "http://a/\n",
      "http://a\r\n/",
      "http://a/%", "http://a/%2", "http://a/%zz", "http://a%62/", "http://a/<", "http://a/\\b",
      "http://a\\b/", "http://[::1/", "http://::1/", "http://[a]/", "http://[fe80::1%25eth0]/",
      "http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://1.2.3.256/",
      "http://.../",
      "http://a,b/", "http://a;b/", " http://a/", "http://a/ ", "http://a/\0", "http://a/%?b",
      "http://a/\\?b", "http://a%?b", "http://a\\?b", "http://a?\"", "http://a?<",
      "http://a?\u{e9}",
      "http://a?\u{301}", "http://a?b c", "http://a?\n", "http://a#\n", "http://a\\#b",
      "1http://a/",
    ])
  func otherTextIsRefused(text: String) {
    #expect(HTTPURL(text) == nil)
  }

  /// The examples of RFC 3986, sections 5.4.1 and 5.4.2, without fragments.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("https://h/../i", "https://h/i"), ("//h:8080/i", "http://h:8080/i"),
    ("a/b:c", "http://a/b/c/a/b:c"), ("./b:c", "http://a/b/c/b:c"), ("//[::1]/x", "http://[::1]/x"),
  ])
  func referencesAreResolved(reference: String, expected: String) throws {
    let base = try #require(HTTPURL("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference)?.description == expected)
  }

  @Test(arguments: [
    "g:h", "http:g", "javascript:1", "//", "///g", "//u@h/", "a b", "\\g", "//h:0/",
  ])
  func invalidReferencesAreRefused(reference: String) throws {
    let base = try #require(HTTPURL("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference) == nil)
  }

  @Test func originsHaveSchemeHostAndPort() throws {
    func isSame(_ first: String, _ second: String) throws -> Bool {
      try #require(HTTPURL(first)).hasSameOrigin(as: #require(HTTPURL(second)))
    }
    #expect(try isSame("http://a/b", "http://A:80/c?d"))
    #expect(try !isSame("http://a/", "https://a/"))
    #expect(try !isSame("http://a/", "http://a:81/"))
    #expect(try !isSame("http://a/", "http://b/"))
  }
}
