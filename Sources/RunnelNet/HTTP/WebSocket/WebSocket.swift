import RunnelLoop
import RunnelStreams

/// A connection on which both ends send messages at any time, by RFC 6455.
///
///     server.webSocket("/echo") { socket in socket.texts.bind(to: socket) }
///
/// **Reading**: if an observer writes to a full writer, the socket stops reading. The peer then
/// cannot send faster than that writer writes. A message that nobody observes yet waits, and reading
/// pauses. If nobody observes for two of ``WebSocketOptions/pingInterval``, or when the peer has
/// ended, such messages are dropped, until there is an observer.
///
/// **Writing**: messages that find no room wait, up to ``limit``; then ``overflow`` decides.
///
/// **Strictness**: a frame that violates RFC 6455 ends the socket. Text is checked as it arrives.
/// Pings are answered, and a peer that is silent is sent pings.
///
/// *Disposal*: observations of ``messages`` and ``texts`` retain the socket, and so do bindings to
/// it. After its release, on any thread, it is closed with the code 1000. A closing handshake that
/// has begun needs no reference.
public final class WebSocket {
  let channel: WebSocketChannel
  /// The protocol that both ends have agreed on; nil if there is none.
  public let subprotocol: String?

  init(
    _ connection: Connection, isServer: Bool, _ agreement: WebSocketHandshake.Agreement,
    _ options: WebSocketOptions
  ) {
    channel = WebSocketChannel(connection, isServer: isServer, agreement.codec, options)
    subprotocol = agreement.subprotocol
    channel.begin()
  }

  deinit {
    if let home = channel.connection.home {
      home.close(channel) { $0.close(WebSocketClosure(.normal)) }
    } else {
      channel.close(WebSocketClosure(.normal))
    }
  }

  /// The connection below the frames.
  package var connection: Connection { channel.connection }

  /// The address of the peer.
  public var peer: SocketAddress { channel.connection.peer }

  // MARK: - Reading

  /// The messages of the peer.
  ///
  /// *Events*: all observers receive each message. Completes when either end closes the socket with
  /// the code 1000 or 1001, or when this end has closed it with any code. Fails with
  /// ``WebSocketError/closed(_:)`` if the peer gives another code, with
  /// ``WebSocketError/disconnected`` if the connection ends without a close frame, and with the
  /// error of a frame that violates the protocol. After ``close(_:_:)`` no message is sent.
  ///
  /// *Disposal*: the observation retains the socket.
  public var messages: EventStream<WebSocketMessage, WebSocketError> {
    .unguarded { [self] observer in
      channel.connection.mustBeHome("reading a WebSocket")
      observer.observation.add(Holder(self))
      channel.messages.stream.start(observer)
      channel.demandHasIncreased()
    }
  }

  /// The texts of the peer. Binary messages are left out. All else is as for ``messages``.
  public var texts: EventStream<String, WebSocketError> { messages.compactMap { $0.text } }

  // MARK: - Writing

  /// Sends a text. Returns false if it was refused: too many bytes wait, or the socket is not open.
  public func send(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { channel.send(.text, UnsafeRawBufferPointer($0)) }
  }

  /// Sends bytes. See ``send(_:)-(String)``.
  public func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { channel.send(.binary, $0) }
  }

  /// Sends a message. See ``send(_:)-(String)``.
  public func send(_ message: WebSocketMessage) -> Bool {
    switch message {
    case .text(let text): send(text)
    case .binary(let bytes): send(bytes)
    }
  }

  /// Sends a ping, which the peer answers. Returns false if it was refused.
  ///
  /// The socket also sends pings when the peer is silent: see ``WebSocketOptions/pingInterval``.
  @discardableResult
  public func ping() -> Bool {
    channel.send(.ping, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// The number of bytes that may wait to be written. The default is 256 KiB. While fewer wait, a
  /// message of any size is accepted.
  public var limit: Int {
    get { channel.connection.writer.limit }
    set { channel.connection.writer.limit = newValue }
  }

  /// The behaviour of a message while ``limit`` bytes wait. The default is `Overflow.wait`.
  public var overflow: Overflow {
    get { channel.connection.writer.overflow }
    set { channel.connection.writer.overflow = newValue }
  }

  /// True if the next message is accepted, whatever its size. False from the time when the waiting bytes
  /// reach ``limit`` until half of it is free, and after the end.
  public var isWritable: ReadOnlyProperty<Bool> { channel.connection.writer.isWritable }

  // MARK: - Ending

  /// Closes the socket after the waiting messages are written. The peer receives the code and the
  /// reason, of which at most 123 bytes are sent.
  ///
  /// The streams complete when the peer has answered, or after ``WebSocketOptions/closeTimeout``. A
  /// second call does nothing.
  ///
  /// The code with which another socket has ended can be passed on. Some codes cannot be sent (RFC
  /// 6455, section 7.4): ``WebSocketCloseCode/none`` is sent as 1000, and any other as 1011.
  public func close(_ code: WebSocketCloseCode = .normal, _ reason: String = "") {
    channel.close(WebSocketClosure(code.forSending, reason))
  }

  /// True until either end closes the socket.
  public var isOpen: Bool { channel.isOpen }

  /// The end of the socket, with the code and the reason of the peer's close frame.
  ///
  /// *Events*: the end is sent once, also to an observer that comes later. *Disposal*: the
  /// observation does not retain the socket.
  public var closed: Single<WebSocketClosure, Never> {
    let channel = channel
    return Single(trusting: .unguarded { observer in channel.ending.start(observer) })
  }
}

/// Retains a socket while it is observed.
private final class Holder: Teardown {
  private var socket: WebSocket?

  init(_ socket: WebSocket) {
    self.socket = socket
  }

  func tearDown() {
    socket = nil
  }
}
