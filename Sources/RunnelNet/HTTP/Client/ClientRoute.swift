/// The way to a server. Connections with the same route can be used for each other's requests.
struct ClientRoute: Hashable {
  let scheme: HTTPURL.Scheme
  let host: String
  let port: UInt16
  let proxy: HTTPProxy?

  init(to url: HTTPURL, _ proxies: HTTPProxies) {
    scheme = url.scheme
    host = url.host
    port = url.port
    proxy = proxies.proxy(for: url)
  }

  var sendsWholeURL: Bool { proxy != nil && scheme == .http }

  var endpoint: Endpoint {
    proxy.map { .tcp($0.host, port: $0.port) } ?? .tcp(host, port: port)
  }
}
