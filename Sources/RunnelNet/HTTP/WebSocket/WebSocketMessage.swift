/// A message of a ``WebSocket``.
public enum WebSocketMessage: Hashable, Sendable {
  /// A text. It was sent as UTF-8.
  case text(String)
  /// Bytes of any kind.
  case binary([UInt8])

  /// The text; nil if the message is binary.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

/// The reason for the end of a ``WebSocket``, as a number of RFC 6455, section 7.4.
///
/// Programs may use the codes from 4000 to 4999 for reasons of their own.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral
{
  /// The number.
  public let rawValue: UInt16

  /// Creates a code with any number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Creates a code with any number.
  public init(integerLiteral number: UInt16) {
    rawValue = number
  }

  /// 1000: the purpose of the socket is fulfilled.
  public static let normal: Self = 1000
  /// 1001: the server ends, or the browser leaves the page.
  public static let goingAway: Self = 1001
  /// 1002: the peer has violated the protocol.
  public static let protocolError: Self = 1002
  /// 1003: the peer has sent a kind of message that is not accepted.
  public static let unsupported: Self = 1003
  /// 1005: the peer gave no reason. It is never sent.
  public static let none: Self = 1005
  /// 1006: the connection ended without a closing handshake. It is never sent.
  public static let abnormal: Self = 1006
  /// 1007: a text was not UTF-8, or compressed data were invalid.
  public static let invalidData: Self = 1007
  /// 1008: a rule of the program was violated.
  public static let policyViolation: Self = 1008
  /// 1009: a message was too big.
  public static let tooBig: Self = 1009
  /// 1011: the server met an error.
  public static let internalError: Self = 1011

  package var canBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// The code, or the one that is sent in its place.
  var forSending: Self {
    if canBeSent { return self }
    return self == .none ? .normal : .internalError
  }

  var isRegular: Bool { self == .normal || self == .goingAway || self == .none }
}

/// The end of a ``WebSocket``: the code and the reason of the close frame.
public struct WebSocketClosure: Hashable, Sendable {
  /// The code; ``WebSocketCloseCode/abnormal`` if the connection ended without a close frame.
  public var code: WebSocketCloseCode
  /// The reason in words, often empty.
  public var reason: String

  /// Creates an end.
  public init(_ code: WebSocketCloseCode, _ reason: String = "") {
    self.code = code
    self.reason = reason
  }
}

extension WebSocketClosure: CustomStringConvertible {
  /// The code and the reason.
  public var description: String {
    reason.isEmpty ? "\(code.rawValue)" : "\(code.rawValue): \(reason)"
  }
}
