import RunnelStreams

/// The body of a request while it arrives.
///
/// The connection passes bytes while there is an observer, or while the rest is dropped.
final class RequestBody: Teardown {
  private enum Reader {
    /// Nobody has observed the body yet.
    case none
    case observer(Observer<[UInt8], any Error>)
    /// The observer has ended. The rest is not read.
    case gone
    /// The rest is dropped, because the response is complete.
    case dropping(left: Int)
  }

  private weak var connection: ServerConnection?
  private var decoder: BodyDecoder
  private var reader = Reader.none
  private var failure: HTTPBodyError?
  private(set) var awaitsContinue: Bool
  /// The number of bytes since the last sweep in which the connection waited for bytes.
  private var receivedCount = 0
  /// The number of bytes by which the client is ahead of the least rate; nil before the first sweep.
  private var credit: Int?
  /// True while the observer handles a piece.
  private var isDelivering = false
  /// The end that comes after the piece.
  private var waitingEnd: Termination<HTTPBodyError>?

  /// The most bytes that are dropped, so that the connection can be used again.
  private static let mostDropped = 1 << 16

  init(_ decoder: BodyDecoder, awaitsContinue: Bool, of connection: ServerConnection) {
    self.decoder = decoder
    self.awaitsContinue = awaitsContinue
    self.connection = connection
  }

  var isComplete: Bool { decoder.isComplete }
  var trailers: HTTPHeaders { decoder.trailers }

  /// True if the connection should read.
  var wantsBytes: Bool {
    switch reader {
    case .none, .gone: false
    case .observer(let observer): observer.isActive
    case .dropping: true
    }
  }

  /// The body for the handler. It can be observed once.
  var body: HTTPBody {
    let stream = EventStream<[UInt8], any Error>.unguarded { [self] observer in
      if let failure { return observer.failed(failure) }
      guard case .none = reader else { return observer.failed(HTTPBodyError.alreadyRead) }
      guard let connection else { return observer.failed(HTTPBodyError.disconnected) }
      if decoder.isComplete { return observer.completed() }
      reader = .observer(observer)
      observer.observation.add(self)
      connection.bodyIsWanted(sendsContinue: takesContinue())
    }
    return HTTPBody(.stream(stream, count: decoder.missingCount))
  }

  func tearDown() {
    guard case .observer = reader else { return }
    reader = .gone
    connection?.bodyObserverHasEnded()
  }

  /// Returns true once if the client waits for "100 Continue".
  func takesContinue() -> Bool { exchange(&awaitsContinue, with: false) }

  /// Returns false if the client sends fewer bytes per second than a rate. Unused seconds count, up
  /// to five of them.
  func isFastEnough(_ rate: Int) -> Bool {
    let most = rate.times(5)
    let next = min((credit ?? most).plus(receivedCount), most) - rate
    receivedCount = 0
    credit = next
    return next >= 0
  }

  func consume(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, while mayDeliver: () -> Bool
  ) throws(HTTPParseError) {
    while !decoder.isComplete && wantsBytes && mayDeliver() {
      let piece: UnsafeRawBufferPointer?
      do throws(HTTPParseError) {
        piece = try decoder.next(bytes, &offset)
      } catch {
        end(.failed(.init(error)))
        throw error
      }
      guard let piece else { break }
      receivedCount += piece.count
      switch reader {
      case .none, .gone: break
      case .observer(let observer):
        isDelivering = true
        pass(piece, to: observer)
        isDelivering = false
        if let end = waitingEnd.take() { self.end(end) }
      case .dropping(let left):
        guard piece.count <= left else { throw .bodyTooLarge(limit: Self.mostDropped) }
        reader = .dropping(left: left - piece.count)
      }
    }
    if decoder.isComplete { end(.completed) }
  }

  /// Passes a copy of a piece. The bodies of a server share one array for pieces of similar size. A small
  /// piece gets an array of its own, because an observer that keeps it must not keep a large one.
  private func pass(_ piece: UnsafeRawBufferPointer, to observer: Observer<[UInt8], any Error>) {
    guard let server = connection?.server, 2 * piece.count >= server.spareCopy.capacity else {
      return observer.next(Array(piece))
    }
    var copy = exchange(&server.spareCopy, with: [])
    copy.removeAll(keepingCapacity: true)
    copy.append(contentsOf: piece)
    observer.next(copy)
    server.spareCopy = copy
  }

  /// False if the rest is too long to be dropped, or if the client has not begun to send it.
  var canBeDropped: Bool {
    if awaitsContinue || failure != nil { return false }
    return decoder.missingCount ?? 0 <= Self.mostDropped
  }

  /// Begins to drop the rest. Returns false if it cannot be dropped.
  func drop() -> Bool {
    guard canBeDropped else { return false }
    reader = .dropping(left: Self.mostDropped)
    return true
  }

  /// Ends the stream of the body.
  private func end(_ termination: Termination<HTTPBodyError>) {
    if case .failed(let error) = termination, failure == nil { failure = error }
    guard case .observer(let observer) = reader else { return }
    if isDelivering {
      waitingEnd = termination
      return
    }
    reader = .gone
    observer.end(failure.map { .failed($0) } ?? .completed)
  }

  /// Ends the stream because the connection has ended.
  func detach(_ error: HTTPBodyError) {
    connection = nil
    if decoder.isComplete { return }
    end(.failed(error))
  }
}

extension HTTPBodyError {
  init(_ error: HTTPParseError) {
    switch error {
    case .bodyTooLarge(let limit): self = .tooLarge(limit: limit)
    default: self = .malformed("\(error)")
    }
  }
}
