/// A request that a server has answered without calling a handler, because it was malformed, too
/// large or too slow, or because there were too many connections.
///
///     server.refusals.observeNext { print("\($0.peer): \($0.status) \($0.reason)") }
public struct HTTPRefusal: Sendable {
  /// The address of the client.
  public let peer: SocketAddress
  /// The status of the response.
  public let status: HTTPStatus
  /// The reason in words.
  public let reason: String
}
