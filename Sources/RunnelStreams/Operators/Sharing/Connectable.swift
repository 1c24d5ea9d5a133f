/// A stream that observes its source once for all observers, when ``connect(file:line:)`` is
/// called.
///
///     let ticks = seconds.publish()
///     ticks.observeNext { print("first", $0) }
///     ticks.observeNext { print("second", $0) }
///     let connection = ticks.connect()  // starts to count seconds, for both observers
///     connection.dispose()              // stops counting
///
/// *Events*: an observer that is added before ``connect(file:line:)`` receives all elements, even
/// from a source that sends immediately. Each connection observes the source once. An observer that
/// is added after a connection has ended or has been disposed waits for the next connection.
///
/// *Disposal*: disposing the connection disposes the observation of the source. The observers
/// receive no further events and no end. Releasing the connection does not dispose it.
public final class Connectable<Element, Failure: Error> {
  @usableFromInline let source: EventStream<Element, Failure>
  @usableFromInline let makeHub: () -> Hub<Element, Failure>
  @usableFromInline var session: Session?

  @inlinable
  init(_ source: EventStream<Element, Failure>, _ makeHub: @escaping () -> Hub<Element, Failure>) {
    self.source = source.link
    self.makeHub = makeHub
  }

  /// Observes the source, unless it is observed already, and returns the connection.
  ///
  /// If the subject has already ended, the source is not observed. This happens if the closure of
  /// ``StreamProtocol/multicast(_:)`` returns the same subject again. A failure that arrives while
  /// the connection has no observers goes to ``Hooks/unhandledFailure`` (C10).
  @inlinable
  @discardableResult
  public func connect(file: StaticString = #fileID, line: UInt = #line) -> Disposable {
    let session = currentOrNewSession()
    let link = session.link
    guard !link.isConnected else { return link.connection }
    guard !session.hub.hasEnded else { return .none }
    link.isConnected = true
    // A weak reference, because the observation of the source retains this closure.
    let leave = { [weak self, weak session] in
      if let self, let session { self.forget(session) }
    }
    link.connection.add(leave)
    session.hub.observe(
      source, in: link.connection, from: SourceLocation(file: file, line: line), willEnd: leave)
    return link.connection
  }

  /// Returns the session for new observers: the current one, or a new one that is not connected
  /// yet.
  @usableFromInline
  func currentOrNewSession() -> Session {
    if let session, !session.link.connection.isDisposed { return session }
    let new = Session(makeHub())
    session = new
    return new
  }

  /// Ends a session, so that later observers are added to the next one.
  @usableFromInline
  func forget(_ past: Session) {
    guard session === past else { return }
    session = nil
  }
}

extension Connectable: StreamProtocol {
  /// The elements of the connection: first the replayed ones, then all that follow.
  @inlinable
  public var stream: EventStream<Element, Failure> {
    .unguarded(after: source) { self.currentOrNewSession().hub.add($0) }
  }
}

extension Connectable {
  /// One connection to the source, or one that is not connected yet, with its observers.
  @usableFromInline
  final class Session {
    @usableFromInline let hub: Hub<Element, Failure>
    @usableFromInline let link = Link()

    @usableFromInline
    init(_ hub: Hub<Element, Failure>) {
      self.hub = hub
    }
  }
}

/// The connection of one session, and the number of its ``Connectable/refCount()`` observers.
///
/// The observations of these observers retain it. Therefore it must not retain the hub, which
/// retains the observers.
@usableFromInline
final class Link: Teardown {
  @usableFromInline let connection = Disposable()
  @usableFromInline var isConnected = false
  @usableFromInline var holders = 0

  @usableFromInline
  init() {}

  /// Called when one of the observers has left.
  @usableFromInline
  func tearDown() {
    holders -= 1
    if holders == 0 && isConnected { connection.dispose() }
  }
}
