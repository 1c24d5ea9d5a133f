import Runnel

/// The settings that can change while the program runs.
final class Settings {
  private(set) var configuration: Configuration

  init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Applies a configuration to the parts of the program.
  func apply(_ configuration: Configuration, to board: Board, _ server: HTTPServer) {
    self.configuration = configuration
    board.limits = configuration.limits
    server.maximumConnections = configuration.connections
    // Each byte of a text may be escaped in JSON.
    server.limits.body = 6 * configuration.limits.postSize + 1_024
  }

  /// Returns true if a client with a token may write. All tokens are compared, so that the time says
  /// nothing. Without tokens, the host that the client has asked for must be known.
  func mayWrite(_ token: String?, at host: String) -> Bool {
    if configuration.tokens.isEmpty { return isKnown(host) }
    return configuration.tokens.reduce(false) { constantTimeEquals(token ?? "", $1) || $0 }
  }

  /// Returns true for localhost, an address, and the configured names. A page of another site could
  /// let its own name lead to this machine, and then its requests would look like those of our page.
  private func isKnown(_ host: String) -> Bool {
    var name = host.lowercased()[...]
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") { name = name[..<colon] }
    if name.hasPrefix("[") && name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    return name == "localhost" || IPAddress(String(name)) != nil
      || configuration.hosts.contains(String(name))
  }

  /// Throws unless a request may write. Without tokens, a page of another site must not write in the
  /// name of its reader.
  func checkWriting(_ request: HTTPRequest) throws(HTTPError) {
    if configuration.tokens.isEmpty && !isKnown(request.host) {
      throw HTTPError(.forbidden, "The name of this host is not in the configuration (host = …).")
    }
    guard mayWrite(request.bearerToken, at: request.host) else {
      throw HTTPError(
        .unauthorized, "Writing needs a token.",
        headers: ["WWW-Authenticate": "Bearer realm=\"board\""])
    }
    if let origin = request.headers["Origin"],
      !["http://\(request.host)", "https://\(request.host)"].contains(origin)
    {
      throw HTTPError(.forbidden, "A page of another site cannot write.")
    }
  }
}
