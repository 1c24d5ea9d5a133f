import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct ProxyTests {
  private func url(_ text: String) throws -> HTTPURL { try #require(HTTPURL(text)) }

  @Test func proxiesAreParsed() throws {
    let proxy = try #require(HTTPProxy("http://Jim:p%40ss@Proxy.example:3128/"))
    #expect(proxy.host == "proxy.example")
    #expect(proxy.port == 3128)
    #expect(proxy.authorization == "Basic SmltOnBAc3M=")
    #expect("\(proxy)" == "http://proxy.example:3128/")
    #expect(HTTPProxy("proxy:3128") == HTTPProxy(host: "proxy", port: 3128))
    #expect(HTTPProxy("[::1]:3128") == HTTPProxy(host: "::1", port: 3128))
    #expect(HTTPProxy("http://proxy")?.port == 80)
    for text in ["", "https://proxy", "socks5://proxy:1080", "http://", "a b", "http://%zz@proxy"] {
      #expect(HTTPProxy(text) == nil, "\(text)")
    }
    for (user, expected) in [("a", "YTo="), ("ab", "YWI6"), ("abc", "YWJjOg==")] {
      #expect(HTTPProxy(host: "a", port: 1, user: user).authorization == "Basic \(expected)")
    }
  }

  @Test func theEnvironmentIsRead() throws {
    func proxies(_ variables: [String: String]) -> HTTPProxies { HTTPProxies { variables[$0] } }
    let both = proxies(["all_proxy": "a:1", "https_proxy": "b:2"])
    #expect(both.http?.host == "a")
    #expect(both.https?.host == "b")
    #expect(proxies(["HTTP_PROXY": "a:1"]).http?.host == "a")
    #expect(proxies(["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"]).http == nil)
    #expect(proxies(["http_proxy": "a:1", "REQUEST_METHOD": "GET"]).http?.host == "a")
    #expect(proxies(["HTTPS_PROXY": "a:1", "REQUEST_METHOD": "GET"]).https?.host == "a")
    #expect(proxies(["http_proxy": "", "HTTP_PROXY": "a:1"]).http?.host == "a")
    #expect(proxies(["http_proxy": "nonsense://"]).http == nil)
    #expect(proxies(["NO_PROXY": "a, b ,c"]).exceptions == ["a", "b", "c"])
    #expect(proxies([:]) == HTTPProxies())
  }

  @Test(arguments: [
    ("example.org", "http://example.org/", true), ("example.org", "http://a.example.org/", true),
    ("example.org", "http://badexample.org/", false), (".example.org", "http://example.org/", true),
    ("*.example.org", "http://a.example.org/", true), ("Example.ORG", "http://example.org/", true),
    ("example.org:81", "http://example.org/", false),
    ("example.org:81", "http://example.org:81/", true),
    ("*", "http://a/", true), ("10.0.0.1", "http://10.0.0.1/", true),
    ("10.0.0.1", "http://10.0.0.11/", false), ("::1:2", "http://[::1:2]/", true),
    ("[::1:2]:80", "http://[::1:2]/", true), ("", "http://localhost/", true),
    ("", "http://127.8.8.8/", true), ("", "http://[::1]/", true), ("", "http://a/", false),
    ("0.1", "http://10.0.0.1/", false),
  ])
  func exceptionsAreKnown(exception: String, target: String, isException: Bool) throws {
    var proxies = HTTPProxies()
    proxies.http = HTTPProxy(host: "proxy", port: 1)
    proxies.exceptions = [exception]
    #expect(try (proxies.proxy(for: url(target)) == nil) == isException)
  }

  @Test func aProxyGetsTheWholeURL() throws {
    let fixture = try ClientFixture(port: 3128) { _, _ in ok("a") }
    fixture.client.proxies.http = HTTPProxy(host: "proxy", port: 3128, user: "a")
    for host in ["one", "two:81"] {
      fixture.exchange(HTTPRequest(.get, "http://\(host)/x?y"))
      fixture.advance()
    }
    let authorization = "Proxy-Authorization: Basic YTo=\r\n\r\n"
    #expect(
      fixture.received == [
        "GET http://one/x?y HTTP/1.1\r\nHost: one\r\n" + authorization,
        "GET http://two:81/x?y HTTP/1.1\r\nHost: two:81\r\n" + authorization,
      ])
    #expect(fixture.log == ["200 a", "200 a"])
  }

  @Test(arguments: [1, 1 << 16])
  func aTunnelIsOpened(size: Int) throws {
    var hosts: [String] = []
    let fixture = try ClientFixture(
      pieces: size, port: 3128,
      secure: { connection, host in
        hosts.append(host)
        return .just(connection)
      }
    ) { _, request in
      request == 0 ? "HTTP/1.1 102 \r\n\r\nHTTP/1.1 200 Connection established\r\n\r\n" : ok("a")
    }
    fixture.client.proxies.https = HTTPProxy(host: "proxy", port: 3128, user: "a", password: "b")
    for _ in 0..<2 {
      fixture.exchange(HTTPRequest(.get, "https://server/x", headers: ["Authorization": "secret"]))
      fixture.advance()
    }
    let request = "GET /x HTTP/1.1\r\nHost: server\r\nAuthorization: secret\r\n\r\n"
    #expect(
      fixture.received == [
        "CONNECT server:443 HTTP/1.1\r\nHost: server:443\r\nProxy-Authorization: Basic YTpi\r\n\r\n"
          + request + request
      ])
    #expect(hosts == ["server"])
    #expect(fixture.log == ["200 a", "200 a"])
  }

  @Test(
    arguments: [
      ("HTTP/1.1 407 No\r\nContent-Length: 3\r\n\r\nabc", "proxy 407"), ("close", "disconnected"),
      ("HTTP/1.1 101 \r\n\r\n", "proxy 101"),
      (
        String(repeating: "HTTP/1.1 102 \r\n\r\n", count: 17),
        "malformed too many interim responses"
      ), ("nonsense", "malformed an invalid status line"),
      ("reset", "connection the peer has reset the connection."), (nil, "timedOut head"),
    ] as [(String?, String)])
  func aTunnelCanFail(answer: String?, error: String) throws {
    let fixture = try ClientFixture(port: 3128, secure: { connection, _ in .just(connection) }) {
      _, _ in answer
    }
    fixture.client.proxies.https = HTTPProxy(host: "proxy", port: 3128)
    fixture.exchange(HTTPRequest(.get, "https://server/x"))
    fixture.advance(.seconds(100))
    #expect(fixture.log == [error])
    #expect(fixture.openCount == 0)
    #expect(fixture.client.pool.count == 0)
  }

  @Test func cancellingATunnelClosesIt() throws {
    for answer in [nil, "HTTP/1.1 200 OK\r\n\r\n"] {
      let fixture = try ClientFixture(
        port: 3128,
        secure: { connection, _ in
          Single { _ in Disposable { withExtendedLifetime(connection) {} } }
        }
      ) { _, _ in answer }
      fixture.client.proxies.https = HTTPProxy(host: "proxy", port: 3128)
      let observation = fixture.exchange(HTTPRequest(.get, "https://server/x"))
      fixture.advance()
      #expect(fixture.openCount == 1)
      observation.dispose()
      fixture.advance(.seconds(3))
      #expect(fixture.openCount == 0)
    }
  }
}
