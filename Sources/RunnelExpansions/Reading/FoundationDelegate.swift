/// A delegate protocol of Foundation that a proxied protocol may inherit from.
///
/// A macro sees only the names in the declaration. A proxy must know that it is `Sendable` or an
/// `NSObject`, so the proxied protocol repeats this. The names here make it possible to ask for it.
struct FoundationDelegate {
  let name: String
  /// The types that it inherits from and that influence the proxy.
  let inherited: [String]

  /// Fails if the name is unknown.
  init?(_ name: String) {
    self.name = name
    switch name {
    case "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate",
      "URLSessionDownloadDelegate", "URLSessionStreamDelegate", "URLSessionWebSocketDelegate",
      "URLProtocolClient":
      inherited = ["NSObjectProtocol", "Sendable"]
    case "NSCacheDelegate": inherited = ["NSObjectProtocol"]
    case "FileManagerDelegate": inherited = ["AnyObject", "Sendable"]
    case "XMLParserDelegate", "StreamDelegate", "NSKeyedArchiverDelegate",
      "NSKeyedUnarchiverDelegate", "PortDelegate":
      inherited = ["AnyObject"]
    default: return nil
    }
  }
}
