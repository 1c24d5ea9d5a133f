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

  init() {
    limits.body = .max
  }
}
