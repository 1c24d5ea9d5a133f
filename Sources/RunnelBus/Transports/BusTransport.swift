import RunnelStreams

/// A connection to buses in other programs, such as a client of a broker, which
/// `join` of an ``EventBus`` uses.
///
/// This protocol has what each transport can do: it sends and receives messages on topics. What only
/// some can do is a protocol of its own: ``RetainingTransport``, ``AcknowledgingTransport``,
/// ``AskingTransport`` and ``PresenceTransport``. Patterns of a join that need more than the
/// transport has do not compile.
///
/// A transport and its links belong to one context. It calls the closures that it is given in that
/// context, one at a time, and never after their disposal. Several links may use one transport.
///
/// `RunnelTesting` has a transport in memory, and a battery that tests transports by these rules.
public protocol BusTransport: AnyObject {
  /// The peer in logs and errors, such as `mqtt://localhost`. Two transports with one name lead to
  /// the same place: a link does not send what another link of its bus has received from there.
  var name: String { get }

  /// The clock of the transport's timers and of the times in its states.
  var scheduler: any Scheduler { get }

  /// The state of the connection. It begins as offline or connecting. The transport connects again by
  /// itself after each loss.
  var state: ReadOnlyProperty<LinkState> { get }

  /// Throws if a topic of an event cannot be written in the syntax of the transport.
  func check(topic: String) throws(TransportError)

  /// Throws if a pattern with Runnel's wildcards `*` and `#` cannot be written in the syntax of the
  /// transport.
  func check(pattern: String) throws(TransportError)

  /// Connects to the peer, if this is the first call, and stays connected until the results of all
  /// calls are disposed.
  func connect() -> Disposable

  /// Subscribes to patterns, until the result is disposed. They passed ``check(pattern:)``.
  ///
  /// *Events*: the receiver gets each message that matches, once even if several patterns match.
  /// Messages of one sender on one topic arrive in the order in which they were sent. A subscriber
  /// also receives the messages that it has sent itself, if the peer delivers these.
  ///
  /// While there is no connection nothing happens. Each time the peer has confirmed all patterns, the
  /// transport calls ``TransportReceiver/confirmed()``: at first, and again after each new connection,
  /// also if the peer says that it remembers the subscriptions. Messages that the peer receives after
  /// the confirmation are not missed as long as the connection holds.
  func subscribe(to patterns: [TransportPattern], _ receiver: TransportReceiver) -> Disposable

  /// Sends a message. Its topic passed ``check(topic:)``. The link calls this while ``state`` is
  /// online, and has at most 64 unfinished messages.
  ///
  /// The transport calls `finished` once, at once or later:
  /// - with success, if the message is on its way, or confirmed if it asked for that;
  /// - with ``TransportError/unreachable(reason:)``, if there is no connection any more. ``state`` is no
  ///   longer online then. The link sends the message again when the transport is online, and marks
  ///   it as repeated if it asked for confirmation. One that did not ask must not have left;
  /// - with ``TransportError/overloaded(reason:)``, if the peer has no room at present. The link sends
  ///   nothing for a second or longer, and then the message again;
  /// - with another error, if the peer or the transport refuses it. It is not sent again.
  ///
  /// *Events*: messages leave in the order of the calls, and those on one topic are finished in that
  /// order.
  func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void)
}

/// A pattern of a subscription.
public struct TransportPattern: Hashable, Sendable {
  /// The pattern in Runnel's syntax, with the prefix of the link: `shop.orders.#`.
  public var pattern: String
  /// True if messages to this program are confirmed. Always false on a transport that is not an
  /// ``AcknowledgingTransport``.
  public var isAcknowledged: Bool

  /// Creates a pattern.
  public init(_ pattern: String, isAcknowledged: Bool = false) {
    self.pattern = pattern
    self.isAcknowledged = isAcknowledged
  }
}

/// A transport whose peer keeps the latest sticky message of each topic for later subscribers.
///
/// It carries the kinds ``MessageKind/sticky`` and ``MessageKind/cleared``. A
/// subscriber receives the retained messages of a pattern after the confirmation, with their stamps and
/// marked as stored.
/// Of the messages of one topic, the last one that the peer has received is retained. Others never
/// receive these two kinds.
public protocol RetainingTransport: BusTransport {}

/// A transport whose peer confirms messages.
///
/// It finishes a message with ``TransportMessage/isAcknowledged`` when the peer has confirmed it. A
/// message that was confirmed is delivered to all subscribers that the peer has confirmed, even if
/// connections are lost meanwhile. A repeated delivery is marked as repeated.
public protocol AcknowledgingTransport: BusTransport {}

/// A transport with requests and answers.
public protocol AskingTransport: BusTransport {
  /// Sends a request to one program that answers on the topic.
  ///
  /// *Events*: sends the bytes of the answer, or fails:
  /// - with ``AskFailure/nobodyAnswers`` as soon as the peer says so;
  /// - with ``AskFailure/failed(_:)`` and a ``TransportError`` if the connection does not exist or is
  ///   lost, or with a ``RemoteFailure`` if the other program could not answer.
  ///
  /// An answerer that loses its connection while it works sends its answer on the next one. A request on its way to
  /// a program that ends gets no answer. There is no time limit; the caller sets one.
  ///
  /// *Disposal*: ends the request. A later answer is ignored.
  func ask(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure>

  /// Answers the requests on a topic, until the result is disposed, also after new connections.
  ///
  /// *Disposal*: disposes the answers that are in progress, too. Their requests fail with
  /// ``AskFailure/nobodyAnswers``.
  func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable
}

/// A transport that knows which programs are connected.
public protocol PresenceTransport: BusTransport {
  /// The names of the other programs that are online, sorted. Empty while this one is offline.
  var peers: ReadOnlyProperty<[String]> { get }
}

/// The error of an answer in another program.
public struct RemoteFailure: Error, Hashable, CustomStringConvertible {
  /// The description of the error there.
  public let description: String

  /// Creates an error with a description.
  public init(_ description: String) {
    self.description = description
  }
}

/// A capability that only some transports have.
public enum TransportCapability: Hashable, Sendable {
  /// See ``RetainingTransport``.
  case retained
  /// See ``AcknowledgingTransport``.
  case acknowledged
  /// See ``AskingTransport``.
  case requests
  /// See ``PresenceTransport``.
  case presence
}
