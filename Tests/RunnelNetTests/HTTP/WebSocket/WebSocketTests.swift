import RunnelLoop
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct WebSocketTests {
  // MARK: - Messages

  @Test("Frames directly after the handshake are echoed", arguments: [1, 2, 7, 1 << 16])
  func framesAfterHandshakeAreEchoed(_ size: Int) throws {
    let client = try RawClient(
      pieces: size,
      sending: [
        .text("a"), .text("b", isFinal: false), .continuation("ü"), Frame(opcode: 2, payload: [1]),
      ]
    ) { $0.messages.bind(to: $0) }
    #expect(client.head.hasPrefix("HTTP/1.1 101 Switching Protocols"))
    #expect(
      client.receive() == [.message(.text("a")), .message(.text("bü")), .message(.binary([1]))])
  }

  @Test func textsAreBoundToASubject() throws {
    let room = PushStream<String>()
    var texts: [String] = []
    room.observeNext { texts.append($0) }
    let client = try RawClient { socket in socket.texts.bind(to: room) }
    client.send(.text("a"), Frame(opcode: 2, payload: [1]), .text("b"))
    #expect(texts == ["a", "b"])
    client.send(.close(4000))
    #expect(!room.isObserved || room.termination == nil)
  }

  @Test func handlerReceivesTheRequest() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    server.webSocket("/rooms/:name") { request, socket in
      _ = socket.send("room \(request["name"])")
      socket.texts.map { "\(request["name"]): \($0)" }.bind(to: socket)
    }
    try server.listen(.tcp("server", port: 80))
    let log = SocketLog()
    var client: WebSocket?
    WebSocket.connect(to: "ws://server/rooms/a", on: network).observe(
      succeeded: {
        client = $0
        log.observe($0)
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(to: .seconds(1))
    _ = client?.send("x")
    scheduler.advance(to: .seconds(2))
    #expect(log.lines == ["room a", "a: x"])
  }

  @Test("A socket whose reader is behind closes at once: its messages are dropped")
  func closesWhileTheReaderIsBehind() throws {
    let (home, worker) = (ManualContext(), ManualContext())
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    var far: WebSocket?
    server.webSocket("/") { socket in
      far = socket
      home.use {
        _ = socket.texts.via(worker, backlog: Backlog(elements: 1)) { $0 }
          .observe(next: { _ in }, failed: { _ in })
      }
    }
    try server.listen(.tcp("server", port: 80))
    var client: WebSocket?
    WebSocket.connect(to: "ws://server", on: network).observe(
      succeeded: {
        client = $0
        $0.messages.observe(next: { _ in }, failed: { _ in })
        for _ in 0..<10 { _ = $0.send("text") }
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(to: .seconds(1))
    var code: WebSocketCloseCode?
    far?.closed.observe(succeeded: { code = $0.code })
    far?.close()
    scheduler.advance(by: .zero)
    #expect(code == .normal)
    withExtendedLifetime(client) {}
    while worker.runOne() || home.runOne() {}
  }

  @Test("Every observer receives each message")
  func severalObserversReceiveMessages() throws {
    let (one, two) = (SocketLog(), SocketLog())
    let client = try RawClient { socket in
      one.observe(socket)
      two.observe(socket)
    }
    client.send(.text("a"))
    #expect(one.lines == ["a"] && two.lines == ["a"])
  }

  @Test("A message waits for an observer, and reading pauses")
  func messagesWaitForAnObserver() throws {
    var socket: WebSocket?
    let client = try RawClient { socket = $0 }
    client.send(.text("a"), .text("b"), Frame(opcode: 9))
    #expect(client.receive() == [])
    let log = SocketLog()
    try log.observe(#require(socket))
    #expect(log.lines == [])
    client.advance()
    #expect(log.lines == ["a", "b"])
    #expect(client.receive() == [.pong([])])
  }

  @Test("Messages that nobody observes are dropped after two intervals")
  func unobservedMessagesAreDropped() throws {
    var socket: WebSocket?
    let client = try RawClient { socket = $0 }
    let log = SocketLog()
    try log.observeEnd(of: #require(socket))
    client.send(.text("a"), .text("b"), .close(1000))
    client.advance(by: .seconds(59))
    #expect(log.lines == [])
    client.advance(by: .seconds(2))
    #expect(log.lines == ["closed: 1000"])
    #expect(client.receive() == [.close(WebSocketClosure(.normal))])
  }

  // MARK: - Control frames

  @Test func pingsAreAnsweredWithTheirPayload() throws {
    var socket: WebSocket?
    let client = try RawClient { socket = $0 }
    client.send(Frame(opcode: 9, payload: [1, 2]), Frame(opcode: 10), Frame(opcode: 9))
    #expect(client.receive() == [.pong([1, 2]), .pong([])])
    socket?.ping()
    client.advance()
    #expect(client.receive() == [.ping([])])
  }

  @Test("A silent peer is sent a ping, and is reset if it does not answer")
  func silentPeersAreReset() throws {
    let log = SocketLog()
    let client = try RawClient { log.observe($0) }
    client.advance(by: .seconds(30))
    #expect(client.receive() == [.ping([])])
    client.send(Frame(opcode: 10))
    client.advance(by: .seconds(49))
    #expect(client.receive() == [])
    client.advance(by: .seconds(1))
    #expect(client.receive() == [.ping([])])
    client.advance(by: .seconds(19))
    #expect(log.lines == [])
    client.advance(by: .seconds(1))
    #expect(log.lines == ["failed: The peer did not answer in time.", "closed: 1006"])
    #expect(client.hasEnded)
  }

  @Test func talkingPeersAreSentNoPing() throws {
    let log = SocketLog()
    let client = try RawClient { log.observe($0) }
    for _ in 0..<20 {
      client.advance(by: .seconds(10))
      client.send(.text("a"))
    }
    #expect(client.receive() == [])
    #expect(log.lines.count == 20)
  }

  @Test("A message that is sent when the timer fires does not look stalled")
  func messagesAtTheTimerAreNotStalled() throws {
    var socket: WebSocket?
    let log = SocketLog()
    let client = try RawClient {
      socket = $0
      log.observe($0)
    }
    for minute in 1...5 {
      _ = client.pair.scheduler.schedule(at: .seconds(60 * minute)) { _ = socket?.send("tick") }
    }
    for _ in 0..<31 {
      client.advance(by: .seconds(10))
      client.send(.text("a"))
    }
    #expect(log.lines == [String](repeating: "a", count: 31))
    #expect(client.receive() == (1...5).map { _ in .message(.text("tick")) })
  }

  @Test("A peer that reads nothing is reset, although it sends")
  func stalledPeersAreReset() throws {
    var socket: WebSocket?
    let log = SocketLog()
    let client = try RawClient(reads: false, { $0.capacity = 1 << 10 }) {
      socket = $0
      log.observe($0)
    }
    client.server.timeLimits.writing = .seconds(1_000)
    for _ in 0..<5 { _ = socket?.send([UInt8](repeating: 0, count: 1_000)) }
    for _ in 0..<10 where log.lines.last != "closed: 1006" {
      client.advance(by: .seconds(10))
      client.send(.text("a"))
    }
    #expect(log.lines.suffix(2) == ["failed: The peer did not answer in time.", "closed: 1006"])
  }

  @Test(
    "A pong that finds no room is left out, and no message is",
    arguments: [Overflow.wait, .dropOldest, .fail])
  func pongsWithoutRoomAreLeftOut(_ overflow: Overflow) throws {
    let log = SocketLog()
    let client = try RawClient(reads: false, { $0.capacity = 1 << 10 }) { socket in
      socket.limit = 1 << 12
      socket.overflow = overflow
      log.observe(socket)
      for number in 0..<5 { _ = socket.send([UInt8](repeating: UInt8(number), count: 700)) }
    }
    for _ in 0..<15 {
      client.send(Frame(opcode: 9, payload: [UInt8](repeating: 7, count: 120)))
    }
    client.read()
    client.advance(by: .milliseconds(1))
    let events = client.receive()
    let numbers = events.compactMap { event -> UInt8? in
      if case .message(.binary(let bytes)) = event { bytes.first } else { nil }
    }
    #expect(numbers == [0, 1, 2, 3, 4])
    #expect(log.lines == [])
    client.send(Frame(opcode: 9, payload: [1]))
    #expect(client.receive() == [.pong([1])])
  }

  // MARK: - Ends

  @Test(
    "The peer's close frame is answered with its code, and ends the streams",
    arguments: [
      (1000, "completed"), (1001, "completed"),
      (4000, "failed: The peer closed the WebSocket with 4000: why."),
    ], [1, 1 << 16])
  func closeOfThePeer(_ end: (code: Int, line: String), _ size: Int) throws {
    let log = SocketLog()
    let client = try RawClient(pieces: size) { log.observe($0) }
    client.send(.text("a"), .close(end.code, "why"), .text("b"))
    client.advance(by: .milliseconds(1))
    let code = WebSocketCloseCode(rawValue: UInt16(end.code))
    #expect(client.receive() == [.close(WebSocketClosure(code))])
    #expect(log.lines == ["a", end.line, "closed: \(end.code): why"])
    #expect(client.hasEnded)
  }

  @Test func closeFrameWithoutCodeIsAnswered() throws {
    let log = SocketLog()
    let client = try RawClient { log.observe($0) }
    client.send(Frame(opcode: 8))
    #expect(client.receive() == [.close(WebSocketClosure(.none))])
    #expect(log.lines == ["completed", "closed: 1005"])
  }

  @Test("After close, messages are dropped until the peer answers")
  func closeOfThisEnd() throws {
    let log = SocketLog()
    var socket: WebSocket?
    let client = try RawClient {
      socket = $0
      log.observe($0)
    }
    _ = socket?.send("last")
    socket?.close(4001, "enough")
    #expect(socket?.isOpen == false)
    #expect(socket?.send("later") == false)
    client.advance()
    #expect(
      client.receive() == [.message(.text("last")), .close(WebSocketClosure(4001, "enough"))])
    client.send(.text("a"), Frame(opcode: 9), .close(4001))
    client.advance(by: .milliseconds(1))
    #expect(client.receive() == [])
    #expect(log.lines == ["completed", "closed: 4001"])
    #expect(client.hasEnded)
  }

  @Test(
    "The code of another socket can be passed on",
    arguments: [(1005, 1000), (1006, 1011), (0, 1011), (1015, 1011), (5000, 1011), (1001, 1001)])
  func codesOfOtherSocketsAreSent(code: UInt16, sent: UInt16) throws {
    let client = try RawClient { $0.close(WebSocketCloseCode(rawValue: code)) }
    #expect(
      client.receive() == [.close(WebSocketClosure(WebSocketCloseCode(rawValue: sent)))])
  }

  @Test("After `close`, a frame that violates the protocol completes the streams")
  func violationsAfterCloseComplete() throws {
    var socket: WebSocket?
    let log = SocketLog()
    let client = try RawClient {
      socket = $0
      log.observe($0)
    }
    socket?.close()
    client.advance()
    client.send(Frame(opcode: 3))
    #expect(log.lines == ["completed", "closed: 1002"])
    #expect(client.hasEnded)
  }

  @Test func closeEndsAfterADeadline() throws {
    let log = SocketLog()
    let client = try RawClient { socket in
      log.observe(socket)
      socket.close()
    }
    client.advance(by: .milliseconds(1_999))
    #expect(log.lines == [] && !client.hasEnded)
    client.advance(by: .milliseconds(1))
    #expect(log.lines == ["completed", "closed: 1006"])
    #expect(client.hasEnded)
  }

  @Test func longReasonsAreCutBetweenCharacters() throws {
    let client = try RawClient { $0.close(4000, String(repeating: "é", count: 100)) }
    let expected = String(repeating: "é", count: 61)
    #expect(client.receive() == [.close(WebSocketClosure(4000, expected))])
  }

  @Test(
    "A violation is answered with its code, and fails the streams",
    arguments: [
      ([Frame(opcode: 3)], 1002), ([Frame(opcode: 1, payload: [0xFF])], 1007),
      ([Frame(opcode: 2, payload: [UInt8](repeating: 0, count: 101))], 1009),
      ([Frame(opcode: 8, payload: [0])], 1002), ([Frame(opcode: 1, mask: nil)], 1002),
      (
        [.text("", isFinal: false)] + Array(repeating: Frame(opcode: 0, isFinal: false), count: 10),
        1008
      ),
    ] as [([Frame], Int)], [1, 1 << 16])
  func violationsCloseTheSocket(_ violation: (frames: [Frame], code: Int), _ size: Int) throws {
    let log = SocketLog()
    var options = WebSocketOptions()
    options.messageSize = 100
    options.fragmentCount = 10
    let client = try RawClient(pieces: size, options: options) { log.observe($0) }
    _ = client.pair.near.write(([.text("a")] + violation.frames + [.text("b")]).bytes)
    client.advance(by: .milliseconds(10))
    let code = WebSocketCloseCode(rawValue: UInt16(violation.code))
    #expect(client.receive() == [.close(WebSocketClosure(code))])
    #expect(log.lines.count == 3 && log.lines[0] == "a" && log.lines[1].hasPrefix("failed"))
    #expect(log.lines[2] == "closed: \(violation.code)")
    #expect(client.hasEnded)
  }

  @Test("A client that vanishes ends the streams at once", arguments: [true, false])
  func vanishedClientsEndTheStreams(_ isReset: Bool) throws {
    let log = SocketLog()
    let client = try RawClient { log.observe($0) }
    _ = client.pair.near.write(Frame.text("a").bytes)
    client.advance()
    if isReset { client.pair.near.reset() } else { client.pair.near.finish() }
    client.advance()
    #expect(log.lines.count == 3 && log.lines[0] == "a")
    #expect(log.lines[1].hasPrefix("failed:") && log.lines[2] == "closed: 1006")
  }

  @Test("A client that vanishes is noticed, although a message waits", arguments: [true, false])
  func vanishedClientWithWaitingMessage(_ isReset: Bool) throws {
    let log = SocketLog()
    var socket: WebSocket?
    let client = try RawClient(sending: [.text("a"), .text("b")]) {
      socket = $0
      log.observeEnd(of: $0)
    }
    if isReset { client.pair.near.reset() } else { client.pair.near.finish() }
    client.advance()
    #expect(log.lines == ["closed: 1006"])
    #expect(socket?.isOpen == false)
  }

  @Test func bindingsEndWithTheSocket() throws {
    let source = PushStream<String>()
    weak var socket: WebSocket?
    let client = try RawClient {
      source.bind(to: $0)
      socket = $0
    }
    source.next("a")
    client.advance()
    #expect(client.receive() == [.message(.text("a"))])
    #expect(socket != nil)
    client.send(.close(1000))
    #expect(socket == nil)
    #expect(!source.isObserved)
  }

  // MARK: - Disposal

  @Test func releasedSocketsAreClosed() throws {
    weak var socket: WebSocket?
    let client = try RawClient { socket = $0 }
    #expect(socket == nil)
    #expect(client.receive() == [.close(WebSocketClosure(.normal))])
    client.send(.close(1000))
    client.advance(by: .milliseconds(1))
    #expect(client.hasEnded)
  }

  @Test func disposedObservationReleasesTheSocket() throws {
    let work = Disposable()
    let client = try RawClient { work.add($0.messages.observe(next: { _ in }, failed: { _ in })) }
    #expect(client.receive() == [])
    work.dispose()
    client.advance()
    #expect(client.receive() == [.close(WebSocketClosure(.normal))])
  }

  @Test("Nothing is retained after the end", arguments: ["client", "server", "reset", "silent"])
  func nothingIsRetainedAfterTheEnd(_ ending: String) throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    weak var far: Connection?
    weak var (farSocket, nearSocket): (WebSocket?, WebSocket?)
    server.webSocket("/") { socket in
      socket.messages.bind(to: socket)
      farSocket = socket
    }
    let listener = try Listener(.tcp("server", port: 80), on: network)
    listener.connections.observeNext { connection in
      far = connection
      server.serve(connection)
    }
    WebSocket.connect(to: "ws://server", on: network).observe(
      succeeded: { socket in
        nearSocket = socket
        socket.messages.observe(next: { _ in }, failed: { _ in })
        _ = socket.send("hello")
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(by: .seconds(1))
    #expect(far != nil && farSocket != nil && nearSocket != nil)
    switch ending {
    case "client": nearSocket?.close()
    case "server": farSocket?.close(4000)
    case "reset":
      if let far { network.reset(far) }
    default:
      if let far { network.cut(far) }
    }
    scheduler.advance(by: .seconds(200))
    #expect(far == nil && farSocket == nil && nearSocket == nil)
  }

  @Test(
    "An observer closes, resets or disposes in the middle of messages",
    arguments: ["close", "dispose", "release"])
  func observersMayEndTheSocket(_ action: String) throws {
    let log = SocketLog()
    let work = Disposable()
    var kept: WebSocket?
    let client = try RawClient { socket in
      kept = socket
      work.add(
        socket.texts.observe(
          next: { text in
            log.add(text)
            switch action {
            case "close": kept?.close()
            case "dispose": work.dispose()
            default:
              work.dispose()
              kept = nil
            }
          }, failed: { _ in log.add("failed") }))
    }
    client.send(.text("a"), .text("b"), .text("c"))
    #expect(log.lines == ["a"])
    #expect(client.receive() == (action == "dispose" ? [] : [.close(WebSocketClosure(.normal))]))
  }

  @Test("A server that is closed closes its sockets with the code 1001")
  func drainClosesSockets() throws {
    let log = SocketLog()
    let client = try RawClient { log.observe($0) }
    var isDone = false
    client.server.close(within: .seconds(10)).observe(completed: { isDone = true })
    client.advance()
    #expect(client.receive() == [.close(WebSocketClosure(.goingAway))])
    #expect(!isDone)
    client.send(.close(1001))
    client.advance(by: .milliseconds(1))
    #expect(isDone)
    #expect(log.lines == ["completed", "closed: 1001"])
  }

  // MARK: - Back-pressure

  @Test("A peer that does not read is not read either")
  func slowReadersAreNotRead() throws {
    let client = try RawClient(reads: false, { $0.capacity = 1 << 12 }) { socket in
      socket.limit = 1 << 12
      socket.texts.bind(to: socket)
    }
    let text = String(repeating: "x", count: 500)
    client.pair.near.writer.limit = 1 << 20
    for _ in 0..<200 { _ = client.pair.near.write(Frame.text(text).bytes) }
    client.advance(by: .milliseconds(1))
    #expect(client.pair.near.writer.waitingCount > 50_000)
    #expect(client.pair.far.writer.waitingCount < 3 << 12)
    client.read()
    client.advance(by: .milliseconds(1))
    #expect(client.receive().count == 200)
  }

  @Test("A binding that finds no room resets the connection")
  func overflowResetsTheConnection() throws {
    let source = PushStream<[UInt8]>()
    let log = SocketLog()
    let client = try RawClient(reads: false, { $0.capacity = 1 << 10 }) { socket in
      socket.limit = 1 << 12
      log.observe(socket)
      source.bind(to: socket)
    }
    for _ in 0..<20 { source.next([UInt8](repeating: 0, count: 1_000)) }
    #expect(
      log.lines == [
        "failed: The peer reads slowly, and more than 4096 bytes wait.", "closed: 1006",
      ])
    #expect(!source.isObserved)
    client.advance()
    #expect(!client.pair.far.isOpen)
  }

  @Test func dropOldestKeepsWholeFrames() throws {
    var socket: WebSocket?
    let client = try RawClient(reads: false, { $0.capacity = 1 << 10 }) {
      socket = $0
      $0.limit = 1 << 12
      $0.overflow = .dropOldest
    }
    for number in 0..<100 { _ = socket?.send([UInt8](repeating: UInt8(number), count: 900)) }
    client.read()
    client.advance(by: .milliseconds(1))
    let numbers = client.receive().map { event -> UInt8? in
      if case .message(.binary(let bytes)) = event { bytes.first } else { nil }
    }
    #expect(
      numbers.last == 99 && (3...8).contains(numbers.count) && numbers.first == 0
        && !numbers.contains(nil))
  }

  // MARK: - Client

  @Test(arguments: [1, 2, 7, 1 << 16]) func clientAndServerTalk(_ size: Int) throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    network.pieceSize = size
    let server = HTTPServer(on: network)
    var options = WebSocketOptions()
    options.subprotocols = ["b"]
    server.webSocket("/", options: options) { socket in
      _ = socket.send("hello")
      socket.messages.bind(to: socket)
    }
    try server.listen(.tcp("server", port: 80))
    options.subprotocols = ["a", "b"]
    let log = SocketLog()
    WebSocket.connect(to: "ws://server", options: options, on: network).observe(
      succeeded: { socket in
        log.add(socket.subprotocol ?? "none")
        log.observe(socket)
        _ = socket.send("text")
        _ = socket.send([1, 2])
        socket.close(4000, "bye")
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(to: .seconds(1))
    #expect(log.lines == ["b", "completed", "closed: 4000"])
  }

  /// Connects to a peer that answers with a text, which may contain the answer to the key.
  private func connect(answer: String) throws -> String {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let listener = try Listener(.tcp("server", port: 80), on: network)
    listener.connections.observeNext { connection in
      var key = ""
      connection.lines().observe(
        next: { line in
          if line.hasPrefix("Sec-WebSocket-Key: ") { key = String(line.dropFirst(19)) }
          guard line.isEmpty else { return }
          let parts = answer.split(separator: "@", omittingEmptySubsequences: false)
          _ = connection.write(parts.joined(separator: WebSocketHandshake.answer(to: key)))
        }, failed: { _ in })
    }
    var result = "none"
    WebSocket.connect(to: "ws://server", on: network).observe(
      succeeded: { _ in result = "open" }, failed: { result = "\($0)" })
    scheduler.advance(to: .seconds(20))
    return result
  }

  @Test func answersAreCheckedByTheClient() throws {
    let fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: @\r\n"
    func result(_ answer: String) throws -> String { try connect(answer: answer) }
    #expect(try result("HTTP/1.1 101 X\r\n\(fields)\r\n") == "open")
    #expect(try result("HTTP/1.1 101 \r\n\(fields)\r\n") == "open")
    #expect(
      try result("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        == "The server refused the WebSocket with 403 Forbidden.")
    let invalid = [
      "HTTP/1.0 101 X\r\n\(fields)\r\n", "HTTP/1.1 101 X\n\(fields)\r\n",
      "http/1.1 101 X\r\n\(fields)\r\n",
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "HTTP/1.1 101 X\r\n\(fields)Sec-WebSocket-Accept: @\r\n\r\n",
      "HTTP/1.1 101 X\r\nUpgrade: h2\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: @\r\n\r\n",
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: @\r\n\r\n",
      "HTTP/1.1 101 X\r\n\(fields)Sec-WebSocket-Protocol: a\r\n\r\n",
      "HTTP/1.1 101 X\r\n\(fields)Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
      "HTTP/1.1 101 X\r\n\(fields) folded\r\n\r\n", "SSH-2.0-OpenSSH\r\n",
      "HTTP/1.1 000 X\r\n\(fields)\r\n", "HTTP/1.1 099 X\r\n\(fields)\r\n",
    ]
    for answer in invalid {
      let text = try result(answer)
      #expect(text.hasPrefix("The WebSocket cannot be opened"), "\(answer): \(text)")
    }
    #expect(try result("HTTP/1.1 101 X\r\n") == "The peer did not answer in time.")
  }

  @Test func disposingTheClientEndsTheConnection() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let listener = try Listener(.tcp("server", port: 80), on: network)
    var hasEnded = false
    listener.connections.observeNext { connection in
      connection.bytes.observe(next: { _ in }, failed: { _ in hasEnded = true })
    }
    let work = WebSocket.connect(to: "ws://server", on: network).observe(
      succeeded: { _ in }, failed: { _ in Issue.record("It failed.") })
    scheduler.advance(to: .seconds(1))
    work.dispose()
    scheduler.advance(to: .seconds(2))
    #expect(hasEnded)
  }

  @Test func otherSchemesAreRefused() {
    var error: WebSocketError?
    WebSocket.connect(to: "http://a.org", on: TestNetwork(on: TestScheduler())).observe(
      succeeded: { _ in }, failed: { error = $0 })
    #expect(error == .handshake("\"http://a.org\" is not the URL of a WebSocket"))
  }
}
