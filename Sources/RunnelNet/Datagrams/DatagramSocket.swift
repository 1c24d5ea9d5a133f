import RunnelLoop
import RunnelStreams

/// A socket that sends and receives datagrams, over UDP or between Unix sockets.
///
///     let socket = try DatagramSocket(.udp("0.0.0.0", port: 7000), on: loop)
///     socket.datagrams.observe(next: { socket.send($0.bytes, to: $0.sender) })
///
/// Datagrams may be lost, may arrive twice, and may arrive in another order. The system drops those
/// that arrive while its buffer is full.
///
/// **Receiving** happens only while ``datagrams`` is observed, by one observer at a time. It pauses
/// while a writer that is written to from the observer is full. Datagrams that arrive meanwhile wait
/// in the system's buffer.
///
/// **Errors** do not end the socket, because each datagram stands alone. A datagram that was not
/// sent, and an answer that no socket listens at the peer, are elements of ``failures``.
///
/// *Disposal*: an observation of ``datagrams`` retains the socket. After its release, on any thread,
/// it is closed.
public final class DatagramSocket {
  private let core: DatagramCore

  /// Opens a socket and binds it to an endpoint.
  ///
  /// An endpoint with a port of 0 lets the system choose the port, and `.address(.unnamed)` lets it
  /// choose the name of a Unix socket. `.udp("*", port: …)` receives from IPv4 and IPv6. A
  /// descriptor must be a datagram socket, which is closed with this object. The socket of a Unix
  /// path replaces a file that no process uses, and its file is removed when it is closed.
  public init(
    _ endpoint: Endpoint, options: DatagramOptions = DatagramOptions(), on loop: EventLoop
  ) throws(SocketError) {
    loop.mustBeCurrent("creating a DatagramSocket")
    let socket = try BoundSocket(endpoint, options, on: loop)
    core = DatagramCore(socket, waitingLimit: options.waitingLimit)
  }

  deinit {
    core.socket.loop.close(core) { $0.close() }
  }

  /// The address that the socket is bound to. A port of 0 is replaced by the port that the system
  /// has chosen.
  public var address: SocketAddress { core.socket.address }

  /// The address that ``connect(to:)`` has set; nil if it was not called.
  public var peer: SocketAddress? { core.socket.peer }

  /// True until the socket is closed.
  public var isOpen: Bool { core.socket.isOpen }

  /// Errors of sending and receiving. The socket goes on after each of them.
  ///
  /// *Events*: the answer that nobody listens at the peer arrives only on a connected socket, with
  /// the next datagram that is sent, or at once while ``datagrams`` is observed. Completes when the
  /// socket is closed.
  public var failures: EventStream<SocketError, Never> { core.socket.failures.stream }

  // MARK: - Receiving

  /// The datagrams that arrive.
  ///
  /// *Events*: each element is one datagram; an empty one has no bytes. The loop runs other work
  /// after each batch of up to 64 datagrams. Completes when the socket is closed, and fails only if
  /// the socket cannot be watched.
  ///
  /// *Disposal*: datagrams of a batch that its observer did not take go to the next observer. A
  /// second observer at the same time traps: share the stream.
  public var datagrams: EventStream<Datagram, SocketError> { datagrams(demand: nil) }

  /// The datagrams that arrive, as many as are demanded. All else is as for ``datagrams``.
  public func datagrams(demand: Demand?) -> EventStream<Datagram, SocketError> {
    .unguarded { [self] observer in
      mustBeHome("receiving datagrams")
      guard isOpen else { return observer.completed() }
      let sink = DatagramSink(observer, demand: demand, of: self, core.reader)
      observer.observation.add(sink)
      core.reader.begin(sink)
    }
  }

  // MARK: - Sending

  /// Sends a datagram to an address. Returns false if it is dropped.
  ///
  /// It waits, and counts as sent, while the system has no room. It is dropped if the waiting bytes have
  /// reached ``DatagramOptions/waitingLimit``, if the system refuses it, which is an element of
  /// ``failures``, or if the socket is closed.
  @discardableResult
  public func send(_ bytes: [UInt8], to address: SocketAddress) -> Bool {
    mustBeHome("sending a datagram")
    return core.writer.send(bytes, to: address)
  }

  /// Sends a datagram to the peer that ``connect(to:)`` has set. Traps if there is none. All else is
  /// as for ``send(_:to:)``.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    mustBeHome("sending a datagram")
    require(
      peer != nil || !isOpen,
      "DatagramSocket.send(_:) needs a peer. Call connect(to:) first, or use send(_:to:).")
    return core.writer.send(bytes, to: nil)
  }

  /// Sets the only peer that datagrams are received from, and that ``send(_:)`` sends to. Sends
  /// nothing. May be called again with another peer.
  ///
  /// Datagrams of others that have arrived before are still received. A later call of
  /// ``send(_:to:)`` can still send to another address.
  public func connect(to address: SocketAddress) throws(SocketError) {
    mustBeHome("connecting a DatagramSocket")
    try core.socket.connect(to: address)
  }

  /// True if the next datagram may wait, whatever its size. False from the time when the waiting bytes
  /// reach ``DatagramOptions/waitingLimit`` until half of it is free, and after the end.
  public var isWritable: ReadOnlyProperty<Bool> { core.writer.isWritable }

  /// The number of datagrams that wait to be sent.
  public var waitingCount: Int { core.writer.waitingCount }

  // MARK: - Groups

  /// Joins a multicast group: its datagrams are received if they are sent to the port of this
  /// socket.
  ///
  ///     let socket = try DatagramSocket(
  ///       .udp("0.0.0.0", port: 5353), options: DatagramOptions { $0.sharesAddress = true },
  ///       on: loop)
  ///     try socket.joinGroup(IPAddress(224, 0, 0, 251), on: "eth0")
  ///
  /// `interface` is the name of the network interface to receive on. By default, the system chooses
  /// it. The socket receives only from groups that it has joined itself.
  public func joinGroup(_ group: IPAddress, on interface: String? = nil) throws(SocketError) {
    mustBeHome("joining a multicast group")
    try core.socket.changeMembership(in: group, on: interface, joins: true)
  }

  /// Leaves a multicast group. `interface` must be as for ``joinGroup(_:on:)``.
  public func leaveGroup(_ group: IPAddress, on interface: String? = nil) throws(SocketError) {
    mustBeHome("leaving a multicast group")
    try core.socket.changeMembership(in: group, on: interface, joins: false)
  }

  // MARK: - End

  /// Closes the socket at once. Datagrams that wait to be sent or received are lost.
  public func close() {
    mustBeHome("closing a DatagramSocket")
    core.close()
  }

  private func mustBeHome(_ action: @autoclosure () -> String) {
    core.socket.loop.mustBeCurrent(action())
  }
}

/// The parts of a datagram socket, which are closed together.
private final class DatagramCore {
  let socket: BoundSocket
  let reader: DatagramReader
  let writer: DatagramWriter

  init(_ socket: BoundSocket, waitingLimit: Int) {
    self.socket = socket
    reader = DatagramReader(socket)
    writer = DatagramWriter(socket, limit: waitingLimit)
  }

  func close() {
    guard socket.isOpen else { return }
    // The descriptor is closed before any callback, and no longer watched when it is closed.
    reader.stopWatching()
    writer.stopWaiting()
    socket.close()
    writer.discard()
    reader.finish()
    socket.failures.completed()
  }
}
