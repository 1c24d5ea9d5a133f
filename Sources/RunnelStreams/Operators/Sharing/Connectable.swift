/// A stream whose source is observed once for all its observers, and only when it is told so.
///
///     let ticks = seconds.publish()
///     ticks.observeNext { print("first", $0) }
///     ticks.observeNext { print("second", $0) }
///     let connection = ticks.connect()  // now the seconds are counted, once, for both
///     connection.dispose()              // and now they are not
///
/// *Events*: an observer that comes before ``connect()`` gets everything, also from a source that
/// sends at once. Each connection is a run of its own: an observer that comes after its end or its
/// disposal waits for the next one.
///
/// *Disposal*: disposing the connection tears the source down. Its observers hear nothing more, and
/// no end. Letting go of the connection does not dispose it.
public final class Connectable<Element, Failure: Error> {
  @usableFromInline let source: EventStream<Element, Failure>
  @usableFromInline let makeHub: () -> Hub<Element, Failure>
  @usableFromInline var session: Session?

  @inlinable
  init(_ source: EventStream<Element, Failure>, _ makeHub: @escaping () -> Hub<Element, Failure>) {
    self.source = source
    self.makeHub = makeHub
  }

  /// Observes the source, unless that is done already, and returns what disconnects.
  ///
  /// Where the subject has ended, as one can that ``StreamProtocol/multicast(_:)`` is given again,
  /// the source is not observed. A failure that comes when nobody observes the connection goes to
  /// ``Hooks/unhandledFailure`` (C10).
  @inlinable
  @discardableResult
  public func connect(file: StaticString = #fileID, line: UInt = #line) -> Disposable {
    let session = upcoming()
    let link = session.link
    guard !link.isConnected else { return link.connection }
    guard !session.hub.hasEnded else { return .none }
    link.isConnected = true
    // Weak, because the source holds this for as long as it goes on.
    let leave = { [weak self, weak session] in
      if let self, let session { self.forget(session) }
    }
    link.connection.add(leave)
    session.hub.observe(
      source, in: link.connection, from: SourceLocation(file: file, line: line), willEnd: leave)
    return link.connection
  }

  /// The run that who observes now belongs to: one that goes on, or that is still to be connected.
  @usableFromInline
  func upcoming() -> Session {
    if let session, !session.link.connection.isDisposed { return session }
    let new = Session(makeHub())
    session = new
    return new
  }

  /// A run is over: who observes from now on belongs to the next one.
  @usableFromInline
  func forget(_ past: Session) {
    guard session === past else { return }
    session = nil
  }
}

extension Connectable: StreamProtocol {
  /// What the connection sends: what was missed, as far as it is kept, and all from now on.
  @inlinable
  public var stream: EventStream<Element, Failure> {
    .unguarded { self.upcoming().hub.add($0) }
  }
}

extension Connectable {
  /// One run of the source, going on or still to be connected.
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

/// The connection of one run, and how many hold it by ``Connectable/refCount()``.
///
/// It is kept by their observations and so must not keep the hub, which leads to them.
@usableFromInline
final class Link: Teardown {
  @usableFromInline let connection = Disposable()
  @usableFromInline var isConnected = false
  @usableFromInline var holders = 0

  @usableFromInline
  init() {}

  /// One of the holders has left.
  @usableFromInline
  func tearDown() {
    holders -= 1
    if holders == 0 && isConnected { connection.dispose() }
  }
}
