/// A reason why a ``WebSocket`` could not be opened, or has ended out of order.
public enum WebSocketError: Error, Hashable {
  /// The connection failed.
  case connection(SocketError)
  /// The server answered the handshake with another status than 101.
  case refused(HTTPStatus)
  /// The answer to the handshake violates the protocol, or the URL is not one of a WebSocket.
  case handshake(String)
  /// The peer violated RFC 6455.
  case malformed(String)
  /// A text, or the reason of a close frame, was not UTF-8.
  case invalidText
  /// The compressed bytes of a message could not be decompressed.
  case invalidCompression
  /// A message had more bytes than ``WebSocketOptions/messageSize``.
  case tooLarge(limit: Int)
  /// A message had more fragments than ``WebSocketOptions/fragmentCount``, or as many control frames
  /// between them.
  case tooManyFragments(limit: Int)
  /// Too many bytes wait to be written: see ``WebSocket/overflow``.
  case overflow(limit: Int)
  /// The peer closed the socket with a code that is not 1000 or 1001.
  case closed(WebSocketClosure)
  /// The connection ended without a close frame.
  case disconnected
  /// The peer did not answer in time.
  case timedOut

  /// The code with which the peer is notified.
  var code: WebSocketCloseCode {
    switch self {
    case .malformed, .handshake, .refused: .protocolError
    case .invalidText, .invalidCompression: .invalidData
    case .tooLarge: .tooBig
    case .tooManyFragments: .policyViolation
    case .closed(let closure): closure.code
    case .connection, .disconnected, .timedOut, .overflow: .abnormal
    }
  }
}

extension WebSocketError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .connection(let error): "\(error)"
    case .refused(let status): "The server refused the WebSocket with \(status)."
    case .handshake(let reason): "The WebSocket cannot be opened: \(reason)."
    case .malformed(let reason): "The peer violated the WebSocket protocol: \(reason)."
    case .invalidText: "The peer sent a text that is not UTF-8."
    case .invalidCompression: "The peer sent compressed bytes that are invalid."
    case .tooLarge(let limit): "A message has more than \(limit) bytes."
    case .tooManyFragments(let limit): "A message has more than \(limit) fragments."
    case .overflow(let limit): "The peer reads slowly, and more than \(limit) bytes wait."
    case .closed(let closure): "The peer closed the WebSocket with \(closure)."
    case .disconnected: "The connection ended without a closing handshake."
    case .timedOut: "The peer did not answer in time."
    }
  }
}
