/// A violation of HTTP/1.1 or of a limit in a received message.
package enum HTTPParseError: Error, Hashable {
  /// The message violates RFC 9110 or RFC 9112.
  case malformed(String)
  case startLineTooLong
  case headersTooLarge
  case bodyTooLarge(limit: Int)
  case unknownTransferCoding
  case unsupportedVersion

  package var status: HTTPStatus {
    switch self {
    case .malformed: .badRequest
    case .startLineTooLong: .uriTooLong
    case .headersTooLarge: .headersTooLarge
    case .bodyTooLarge: .contentTooLarge
    case .unknownTransferCoding: .notImplemented
    case .unsupportedVersion: .versionNotSupported
    }
  }
}

extension HTTPParseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let reason): reason
    case .startLineTooLong: "the first line is too long"
    case .headersTooLarge: "the headers are too large"
    case .bodyTooLarge(let limit): "the body has more than \(limit) bytes"
    case .unknownTransferCoding: "the transfer coding is not chunked"
    case .unsupportedVersion: "the version is not HTTP/1"
    }
  }
}
