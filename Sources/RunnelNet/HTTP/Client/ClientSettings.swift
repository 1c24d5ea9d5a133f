/// The settings of a client, which its connections share.
final class ClientSettings {
  var limits = HTTPLimits()
  var timeLimits = HTTPClientTimeLimits()
  var maximumConnectionsPerHost = 6
  var maximumRedirects = 10
  var allowsInsecureRedirects = false
  var failureBodyLimit = 1 << 16
  var headers: HTTPHeaders = ["User-Agent": "Runnel"]
  var proxies = HTTPProxies.environment
  var connectionOptions = ConnectionOptions()
  /// The content coding that the client understands, and the closure that decodes responses.
  var coding: (name: String, decode: (HTTPResponse) -> HTTPResponse)?

  init() {
    limits.body = .max
  }
}
