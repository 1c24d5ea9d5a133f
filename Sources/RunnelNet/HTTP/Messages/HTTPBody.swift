import RunnelStreams

/// The body of a request or a response: nothing, bytes, a stream of bytes, or a file.
///
///     server.get("/export") { _ in
///       HTTPResponse(body: HTTPBody(rows.map { Array("\($0)\n".utf8) }))
///     }
///
/// A body that arrives can be read once. Reading it slowly slows the peer down. When its observation
/// is disposed, a short rest is dropped; a longer one ends the connection.
public struct HTTPBody {
  package enum Content {
    case none
    case bytes([UInt8])
    /// The number of bytes, if it is known.
    case stream(EventStream<[UInt8], any Error>, count: Int?)
    case file(FilePart)
  }

  package let content: Content

  package init(_ content: Content) {
    self.content = content
  }

  /// The body without bytes.
  public static var empty: HTTPBody { HTTPBody(.none) }

  /// Creates a body of bytes.
  public init(_ bytes: [UInt8]) {
    self.init(bytes.isEmpty ? .none : .bytes(bytes))
  }

  /// Creates a body of text, in UTF-8.
  public init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Creates a body of pieces that a stream sends. With a count, the message says how many bytes it
  /// has; a stream that sends fewer or more resets the connection.
  ///
  /// *Events*: nothing is sent before the head of the message. A failure resets the connection, so
  /// that the peer does not take the body for complete. A source that can pause, such as another
  /// connection, does so while the peer reads slowly. Any other source that is too fast for the
  /// peer by 256 KiB fails the connection.
  public init<Failure: Error>(_ stream: EventStream<[UInt8], Failure>, count: Int? = nil) {
    require(count ?? 0 >= 0, "The count of a body cannot be negative.")
    self.init(.stream(stream.mapFailure(to: (any Error).self) { $0 }, count: count))
  }

  /// The number of bytes, if it is known.
  public var count: Int? {
    switch content {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .stream(_, let count): count
    case .file(let part): part.range.count
    }
  }

  var isStream: Bool {
    if case .stream = content { true } else { false }
  }

  /// True if the body has no bytes.
  public var isEmpty: Bool { count == 0 }

  /// The bytes, in pieces.
  ///
  /// *Events*: a body that arrives fails with an ``HTTPBodyError``.
  public var stream: EventStream<[UInt8], any Error> {
    switch content {
    case .none: .completed
    case .bytes(let bytes): .just(bytes)
    case .stream(let stream, _): stream
    case .file(let part): part.stream
    }
  }

  /// Returns an operation that collects the bytes.
  ///
  /// *Events*: fails with ``HTTPBodyError/tooLarge(limit:)`` if there are more than the limit. The
  /// body of a request also has the limit of the server.
  public func bytes(atMost limit: Int = .max) -> Single<[UInt8], any Error> {
    if case .bytes(let bytes) = content, bytes.count <= limit { return .just(bytes) }
    let expected = min(count ?? 0, limit, Self.mostReserved)
    return stream.reduce(into: [UInt8]()) { bytes, piece throws(any Error) in
      guard piece.count <= limit - bytes.count else { throw HTTPBodyError.tooLarge(limit: limit) }
      if bytes.isEmpty { bytes.reserveCapacity(expected) }
      bytes += piece
    }
  }

  /// The most memory that is reserved because a peer has announced that many bytes.
  private static let mostReserved = 1 << 20

  /// Returns an operation that collects the bytes as text in UTF-8.
  ///
  /// *Events*: fails as ``bytes(atMost:)`` does, and with ``HTTPBodyError/invalidText``.
  public func text(atMost limit: Int = .max) -> Single<String, any Error> {
    bytes(atMost: limit).map { bytes throws(any Error) in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw HTTPBodyError.invalidText
      }
      return text
    }
  }
}

extension HTTPBody: ExpressibleByStringLiteral {
  /// Creates a body of text, in UTF-8.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

/// A reason why a body could not be read.
public enum HTTPBodyError: Error, Hashable {
  /// The connection ended before the body.
  case disconnected
  /// The body has more bytes than are allowed.
  case tooLarge(limit: Int)
  /// The body violates the protocol.
  case malformed(String)
  /// The body did not arrive in time.
  case timedOut
  /// The text is not valid UTF-8.
  case invalidText
  /// The body was read before.
  case alreadyRead
}

extension HTTPBodyError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .disconnected: "The connection ended before the body was complete."
    case .tooLarge(let limit): "The body has more than \(limit) bytes."
    case .malformed(let reason): "The body violates HTTP: \(reason)."
    case .timedOut: "The body did not arrive in time."
    case .invalidText: "The body is not text in UTF-8."
    case .alreadyRead:
      "The body was read before. Keep its bytes, or share the stream of its pieces."
    }
  }
}
