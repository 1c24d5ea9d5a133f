import Glibc

/// The proxies of an ``HTTPClient``, and the servers that it connects to without one.
public struct HTTPProxies: Hashable, Sendable {
  /// The proxy for `http`.
  public var http: HTTPProxy?
  /// The proxy for `https`.
  public var https: HTTPProxy?
  /// The servers that need no proxy. A name includes all names below it, an address is one server, and
  /// `*` is all servers. A port limits an element to this port. This machine (`localhost` and its
  /// addresses) never needs a proxy.
  public var exceptions: [String] = []

  /// Creates settings without a proxy.
  public init() {}

  /// The settings of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, or
  /// the same names in capital letters.
  ///
  /// `HTTP_PROXY` is ignored where `REQUEST_METHOD` is set, because the clients of a CGI program can
  /// set it. A value that is no proxy is ignored.
  public static var environment: HTTPProxies {
    HTTPProxies { name in getenv(name).map { String(cString: $0) } }
  }

  /// Reads settings from variables.
  init(_ variable: (String) -> String?) {
    func value(_ name: String) -> String? {
      if let text = variable(name), !text.isEmpty { return text }
      if name == "http_proxy" && variable("REQUEST_METHOD") != nil { return nil }
      return variable(name.uppercased()).flatMap { $0.isEmpty ? nil : $0 }
    }
    let all = value("all_proxy")
    http = (value("http_proxy") ?? all).flatMap { HTTPProxy($0) }
    https = (value("https_proxy") ?? all).flatMap { HTTPProxy($0) }
    exceptions = (value("no_proxy") ?? "").split { $0 == "," || $0 == " " }.map { String($0) }
  }

  func proxy(for url: HTTPURL) -> HTTPProxy? {
    let proxy = url.scheme == .http ? http : https
    return proxy == nil || isException(url) ? nil : proxy
  }

  private func isException(_ url: HTTPURL) -> Bool {
    if url.host == "localhost" || url.host.hasSuffix(".localhost") { return true }
    let address = IPAddress(url.host)
    if let address, address.isLoopback { return true }
    return exceptions.contains { element in
      if element == "*" { return true }
      var name = element.lowercased()[...]
      if let address, let listed = IPAddress(String(name)) { return listed == address }
      if let colon = name.lastIndex(of: ":") {
        guard UInt16(name[name.index(after: colon)...]) == url.port else { return false }
        name = name[..<colon]
      }
      if name.hasPrefix("[") { name = name.dropFirst().dropLast() }
      if let address { return IPAddress(String(name)) == address }
      if name.hasPrefix("*.") { name = name.dropFirst() }
      if name.hasPrefix(".") { name = name.dropFirst() }
      return !name.isEmpty && (url.host == name || url.host.hasSuffix(".\(name)"))
    }
  }
}
