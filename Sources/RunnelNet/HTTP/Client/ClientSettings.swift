/// The settings of a client, which its connections share.
final class ClientSettings {
  var limits = HTTPLimits()
  var timeLimits = HTTPClientTimeLimits()
  var maximumConnectionsPerHost = 6
  var maximumRedirects = 10
  var allowsInsecureRedirects = false
  var credentialHeaders = [
    "Api-Key", "Private-Token", "X-Access-Token", "X-Api-Key", "X-Auth-Token", "X-Goog-Api-Key",
    "X-Vault-Token",
  ]
  var failureBodyLimit = 1 << 16
  var headers: HTTPHeaders = ["User-Agent": "Runnel"]
  var proxies = HTTPProxies.environment
  var connectionOptions = ConnectionOptions()
  /// A content coding, and the closure that decodes responses.
  typealias Coding = (name: String, decode: (HTTPResponse) -> HTTPResponse)

  /// The content coding that the client understands.
  var coding: Coding?

  init() {
    limits.body = 1 << 30
  }
}
