import RunnelNet
import Testing

@Suite struct EndpointTests {
  @Test func readsText() {
    #expect(Endpoint("example.org:80") == .tcp("example.org", port: 80))
    #expect(Endpoint("127.0.0.1:0") == .tcp("127.0.0.1", port: 0))
    #expect(Endpoint("*:65535") == .tcp("*", port: 65_535))
    #expect(Endpoint("[::1]:7000") == .tcp("::1", port: 7_000))
    #expect(Endpoint("[fe80::1%lo]:1") == .tcp("fe80::1%lo", port: 1))
    #expect(Endpoint("/run/a b.sock") == .unix("/run/a b.sock"))
    #expect(Endpoint("./sock:1") == .unix("./sock:1"))
    #expect(Endpoint("@name") == .abstract("name"))
  }

  @Test(arguments: [
    "", "80", ":80", "host", "host:", "host:65536", "host:-1", "host:+1", "::1:80", "[::1]",
    "[x]:1",
    "[127.0.0.1]:1", "@",
  ])
  func refusesOtherText(_ text: String) {
    #expect(Endpoint(text) == nil)
  }

  @Test func textIsReadBack() {
    for endpoint in [
      Endpoint.tcp("example.org", port: 80), .tcp("::1", port: 1), .unix("/a"), .abstract("b"),
    ] {
      #expect(Endpoint("\(endpoint)") == endpoint)
    }
  }
}

@Suite struct IPAddressTests {
  @Test(arguments: ["0.0.0.0", "192.0.2.255", "::", "::1", "2001:db8::ff00:42:8329"])
  func textIsReadBack(_ text: String) throws {
    #expect("\(try #require(IPAddress(text)))" == text)
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4x", ":::", "fe80::1%nowhere", "a\0",
  ])
  func refusesOtherText(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func knowsKinds() throws {
    #expect(IPAddress(127, 9, 9, 9).isLoopback)
    #expect(try #require(IPAddress("::1")).isLoopback)
    #expect(try #require(IPAddress("::ffff:127.0.0.1")).isLoopback)
    #expect(!IPAddress(128, 0, 0, 1).isLoopback)
    #expect(IPAddress(224, 0, 0, 1).isMulticast)
    #expect(try #require(IPAddress("ff02::1")).isMulticast)
    #expect(!IPAddress(192, 0, 2, 1).isMulticast)
    #expect(try #require(IPAddress("::ffff:192.0.2.1")).unmapped == IPAddress(192, 0, 2, 1))
  }
}
