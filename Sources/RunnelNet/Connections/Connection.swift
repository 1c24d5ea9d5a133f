import CSockets
import Glibc
import RunnelLoop
import RunnelStreams

/// A connection to a peer: streams of what it sends, and a `Writer` to it.
///
///     server.connections.observeNext { connection in
///       connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
///     }
///
/// **Reading** happens only while one of ``bytes``, ``lines(longest:demand:)`` and
/// ``messages(framed:demand:)`` is observed, by one observer at a time. Bytes that an observer has
/// not used, such as those after the line that ended it, go to the next one. Reading pauses while a
/// writer is full to which the observer writes.
///
/// **Ending**: when the peer has finished, the stream completes, and the waiting bytes are written
/// before this end finishes too, unless ``staysOpenAfterEnd`` is true. A connection that fails, for
/// example because the peer has reset it, fails the observed stream and ``closed``.
///
/// *Disposal*: an observation retains the connection. After its release, on any thread, the waiting
/// bytes are still written; then it is closed. A `Writer` that is used elsewhere keeps the
/// writing direction open.
public final class Connection {
  /// The writer to the peer.
  public let writer: Writer

  package let core: ConnectionCore
  package var inlet: Inlet { core.inlet }
  package let home: (any ExecutionContext)?

  package init(
    _ transport: any Transport, _ inputOutput: InputOutput, on scheduler: any Scheduler,
    at home: (any ExecutionContext)?
  ) {
    core = ConnectionCore(transport, inputOutput, on: scheduler)
    writer = Writer(core.queue, at: home)
    self.home = home
  }

  deinit {
    if let home { home.close(core) { $0.abandon() } } else { core.abandon() }
  }

  package func mustBeHome(_ action: @autoclosure () -> String) {
    (home as? EventLoop)?.mustBeCurrent(action())
  }

  // MARK: - Addresses

  /// The address of the peer.
  public var peer: SocketAddress { core.transport.peer }

  /// The address of this end.
  public var local: SocketAddress { core.transport.local }

  // MARK: - Reading

  /// The bytes that arrive, in pieces of at most 64 KiB.
  ///
  /// *Events*: completes when the peer has finished. Fails with a ``SocketError`` if the connection
  /// fails or a time limit is reached.
  ///
  /// *Disposal*: bytes that are not read stay in the socket. A second observer at the same time
  /// traps: share the stream.
  public var bytes: EventStream<[UInt8], SocketError> { bytes(demand: nil) }

  /// The bytes that arrive, in as many pieces as are demanded.
  public func bytes(demand: Demand?) -> EventStream<[UInt8], SocketError> {
    reading(demand) { PieceDecoder() }
  }

  /// The lines that arrive, without their line endings.
  ///
  /// *Events*: a line ends with a line feed or with a carriage return and a line feed. The last line
  /// needs no ending. Bytes that are not UTF-8 become replacement characters. A line longer than
  /// the limit fails the stream; a carriage return counts towards the limit. All else is as for ``bytes``.
  public func lines(
    longest limit: Int = 1 << 16, demand: Demand? = nil
  ) -> EventStream<String, SocketError> {
    reading(demand) { LineDecoder(limit: limit) }
  }

  /// The messages that arrive, without their framing.
  ///
  ///     connection.messages(framed: .lengthPrefixed(by: 4)).observe(next: { show($0.count) })
  ///
  /// *Events*: an end inside a message fails the stream, and so does a message that is too long or
  /// has an invalid prefix. All else is as for ``bytes``.
  public func messages(
    framed framing: Framing, demand: Demand? = nil
  ) -> EventStream<[UInt8], SocketError> {
    reading(demand) { FrameDecoder(framing) }
  }

  private func reading<Decoder: MessageDecoder>(
    _ demand: Demand?, _ makeDecoder: @escaping () -> Decoder
  ) -> EventStream<Decoder.Message, SocketError> {
    .unguarded { [self] observer in
      mustBeHome("reading a Connection")
      let reader = MessageReader(makeDecoder(), of: self, demand: demand, into: observer)
      observer.observation.add(reader)
      inlet.begin(reader)
    }
  }

  // MARK: - Writing

  /// Writes bytes to the peer. See `Writer.write(_:)`.
  public func write(_ bytes: [UInt8]) -> Bool { writer.write(bytes) }

  /// Writes text to the peer. See `Writer.write(_:)`.
  public func write(_ text: String) -> Bool { writer.write(text) }

  // MARK: - Ending

  /// Finishes this end after the waiting bytes are written. The peer can still send.
  public func finish() {
    writer.finish()
  }

  /// Closes the connection after the waiting bytes are written. An observed stream completes.
  public func close() {
    mustBeHome("closing a Connection")
    core.closeAfterWriting()
  }

  /// Closes the connection at once, and tells the peer that bytes may be lost.
  public func reset() {
    mustBeHome("closing a Connection")
    core.close(reset: true)
  }

  /// Completes when the connection is closed in both directions, or fails with the error that has
  /// closed it.
  public var closed: Completable<SocketError> { Completable(core.closed) }

  /// True until the connection is closed in both directions.
  public var isOpen: Bool { !core.isClosed }

  /// True if this end can still be written to after the peer has finished. The default is false:
  /// the end of the peer finishes this end.
  public var staysOpenAfterEnd: Bool {
    get { core.staysOpenAfterEnd }
    set { core.staysOpenAfterEnd = newValue }
  }

  // MARK: - Limits

  /// The times after which the connection fails. There are none by default.
  public var timeLimits: TimeLimits {
    get { core.timeLimits }
    set {
      mustBeHome("setting the limits of a Connection")
      core.timeLimits = newValue
    }
  }

  /// Limits reading to a number of bytes per second; nil removes the limit.
  public func limitReading(bytesPerSecond: Int?) {
    inlet.limitReading(bytesPerSecond.map { RateMeter(bytesPerSecond: $0, on: core.scheduler) })
  }

  /// Limits writing to a number of bytes per second; nil removes the limit.
  public func limitWriting(bytesPerSecond: Int?) {
    writer.limitRate(bytesPerSecond.map { RateMeter(bytesPerSecond: $0, on: core.scheduler) })
  }
}
