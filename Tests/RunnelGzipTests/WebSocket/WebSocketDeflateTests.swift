import RunnelGzip
import RunnelLoop
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct WebSocketDeflateTests {
  private static func settings(
    window: Int = 12, usesContext: Bool = true
  ) -> WebSocketDeflate {
    var settings = WebSocketDeflate()
    settings.window = window
    settings.usesContext = usesContext
    settings.smallest = 1
    return settings
  }

  // MARK: - Negotiation

  private func answer(_ offers: [String], _ settings: WebSocketDeflate = settings()) -> String? {
    DeflateExtension(settings).accept(offers.compactMap { WebSocketExtensionValue($0) })?.answer
  }

  @Test func offersAreAnswered() {
    let name = "permessage-deflate"
    #expect(answer([name]) == name)
    #expect(answer(["\(name); client_max_window_bits"]) == "\(name); client_max_window_bits=12")
    #expect(answer(["\(name); client_max_window_bits=10"]) == "\(name); client_max_window_bits=10")
    #expect(answer(["\(name); server_max_window_bits=9"]) == "\(name); server_max_window_bits=9")
    #expect(answer(["\(name); server_max_window_bits=15"]) == "\(name); server_max_window_bits=12")
    #expect(
      answer(["\(name); server_max_window_bits=\"8\""]) == "\(name); server_max_window_bits=8")
    let forgets = "server_no_context_takeover; client_no_context_takeover"
    #expect(answer(["\(name); \(forgets)"]) == "\(name); \(forgets)")
    #expect(answer([name], Self.settings(usesContext: false)) == "\(name); \(forgets)")
    #expect(answer(["x-webkit-deflate-frame", name]) == name)
    #expect(answer(["\(name); unknown", name]) == name)
    #expect(
      answer(["\(name); server_no_context_takeover", name])
        == "\(name); server_no_context_takeover")
  }

  @Test(arguments: [
    "unknown", "server_max_window_bits", "server_max_window_bits=7", "server_max_window_bits=16",
    "server_max_window_bits=09", "client_max_window_bits=7", "client_max_window_bits=x",
    "server_no_context_takeover=1", "client_no_context_takeover; client_no_context_takeover",
    "client_max_window_bits; client_max_window_bits=10",
  ])
  func invalidOffersAreDeclined(_ parameters: String) {
    #expect(answer(["permessage-deflate; \(parameters)"]) == nil)
    #expect(answer(["permessage-bzip2"]) == nil)
  }

  @Test func answersAreConfirmed() {
    func isConfirmed(_ parameters: String, _ settings: WebSocketDeflate = Self.settings()) -> Bool {
      WebSocketExtensionValue("permessage-deflate" + parameters).flatMap {
        DeflateExtension(settings).confirm($0)
      } != nil
    }
    for parameters in [
      "", "; client_max_window_bits=8", "; server_max_window_bits=9",
      "; server_no_context_takeover",
      "; client_no_context_takeover; server_max_window_bits=15",
    ] {
      #expect(isConfirmed(parameters))
    }
    for parameters in [
      "; client_max_window_bits", "; server_max_window_bits", "; x", "; client_max_window_bits=16",
    ] {
      #expect(!isConfirmed(parameters))
    }
    #expect(!isConfirmed("", Self.settings(usesContext: false)))
    #expect(isConfirmed("; server_no_context_takeover", Self.settings(usesContext: false)))
    #expect(
      WebSocketExtensionValue("x").flatMap { DeflateExtension(Self.settings()).confirm($0) } == nil)
  }

  // MARK: - Codec

  private func codec(
    _ settings: WebSocketDeflate = settings(), window: Int = 12, forgets: Bool = false
  ) -> DeflateCodec {
    DeflateCodec(
      settings, window: window, forgets: forgets, peerWindow: window, peerForgets: forgets)
  }

  /// Decompresses a message in pieces of a size.
  private func decompress(
    _ bytes: [UInt8], _ codec: DeflateCodec, pieces size: Int = .max, limit: Int = 1 << 20
  ) throws -> [UInt8] {
    var message: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + min(size, bytes.count))
      try bytes.withUnsafeBytes {
        try codec.decompress(
          UnsafeRawBufferPointer(rebasing: $0[start..<end]), into: &message, limit: limit)
      }
      start = end
    }
    try codec.finishMessage(into: &message, limit: limit)
    return message
  }

  @Test("The examples of RFC 7692, section 7.2.3, are decompressed", arguments: [1, 2, .max])
  func examplesAreDecompressed(_ size: Int) throws {
    let codec = codec()
    let hello = Array("Hello".utf8)
    let examples: [[UInt8]] = [
      [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
      [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
      // The block that is marked as the last one keeps what messages may refer to.
      [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
      [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
    ]
    for example in examples {
      #expect(try decompress(example, codec, pieces: size) == hello)
    }
    #expect(try decompress([0x00], codec) == [])
  }

  @Test(arguments: 9...15, [true, false])
  func messagesSurviveBothDirections(_ window: Int, _ forgets: Bool) throws {
    let codec = codec(window: window, forgets: forgets)
    for seed: UInt64 in 0..<20 {
      let message = repetitiveBytes(Int(seed * seed) * 300, seed: seed)
      var compressed: [UInt8] = []
      message.withUnsafeBytes { codec.compress($0, into: &compressed) }
      #expect(try decompress(compressed, codec, pieces: 1_000) == message)
      if seed % 5 == 4 { codec.forgetCompressed() }
    }
  }

  @Test func contextMakesRepeatedMessagesSmaller() {
    func sizes(_ codec: DeflateCodec) -> [Int] {
      (0..<2).map { _ in
        var output: [UInt8] = []
        repetitiveBytes(300, seed: 1).withUnsafeBytes { codec.compress($0, into: &output) }
        return output.count
      }
    }
    let shared = sizes(codec())
    #expect(shared[1] < shared[0] / 4)
    let separate = sizes(codec(forgets: true))
    #expect(separate[0] == separate[1])
    #expect(codec(window: 8).minimumCount == .max)
  }

  @Test("A message is limited by its decompressed size")
  func bombsAreRefused() throws {
    let bomb = codec()
    var compressed: [UInt8] = []
    [UInt8](repeating: 0, count: 10_000_000).withUnsafeBytes {
      bomb.compress($0, into: &compressed)
    }
    for size in [1, 100, .max] {
      #expect(throws: WebSocketError.tooLarge(limit: 5_000)) {
        try decompress(compressed, codec(), pieces: size, limit: 5_000)
      }
    }
    #expect(try decompress(compressed, codec(), limit: 10_000_000).count == 10_000_000)
    #expect(throws: WebSocketError.tooLarge(limit: 9_999_999)) {
      try decompress(compressed, codec(), limit: 9_999_999)
    }
  }

  @Test("A message has at most 16 blocks that are marked as the last one", arguments: [1, .max])
  func finalBlocksAreLimited(_ size: Int) throws {
    let codec = codec()
    func decompress(blocks count: Int) throws -> [UInt8] {
      let blocks = [[UInt8]](repeating: [0x03, 0x00], count: count)
      return try self.decompress(blocks.flatMap { $0 } + [0x00], codec, pieces: size)
    }
    for _ in 0..<3 { #expect(try decompress(blocks: 16) == []) }
    #expect(throws: WebSocketError.invalidCompression) { try decompress(blocks: 17) }
    #expect(throws: WebSocketError.invalidCompression) { try decompress(blocks: 500_000) }
  }

  @Test(arguments: [Int.max, .max - 1])
  func largestLimitsAreAccepted(_ limit: Int) throws {
    var compressed: [UInt8] = []
    [UInt8](repeating: 1, count: 1_000).withUnsafeBytes { codec().compress($0, into: &compressed) }
    #expect(try decompress(compressed, codec(), limit: limit).count == 1_000)
  }

  // MARK: - Frames

  /// The messages of frames of a server, of which each has a first byte and a payload.
  private func assemble(_ frames: [(UInt8, [UInt8])]) throws(WebSocketError) -> [WebSocketMessage] {
    var assembler = MessageAssembler(
      isMasked: false, limits: .init(size: 1_000, fragments: 10), codec: codec())
    var messages: [WebSocketMessage] = []
    let bytes = frames.flatMap { [$0.0, UInt8($0.1.count)] + $0.1 }
    var used = 0
    let error = bytes.withUnsafeBytes { bytes -> WebSocketError? in
      do throws(WebSocketError) {
        while let event = try assembler.next(bytes, &used) {
          if case .message(let message) = event { messages.append(message) }
        }
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
    return messages
  }

  @Test func compressedFramesAreChecked() throws {
    let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    let (start, rest) = (Array(hello[..<3]), Array(hello[3...]))
    let text = WebSocketMessage.text("Hello")
    #expect(try assemble([(0xC1, hello)]) == [text])
    #expect(try assemble([(0x41, start), (0x89, [1]), (0x00, []), (0x80, rest)]) == [text])
    // Compressed and plain messages may alternate.
    #expect(
      try assemble([(0x81, Array("Hello".utf8)), (0xC2, hello)])
        == [text, .binary(Array("Hello".utf8))])
    let bit = WebSocketError.malformed("a reserved bit is set in a continuation")
    #expect(throws: bit) { try assemble([(0x41, start), (0xC0, rest)]) }
    #expect(throws: WebSocketError.malformed("a compressed control frame")) {
      try assemble([(0xC9, [])])
    }
    #expect(throws: WebSocketError.invalidCompression) {
      try assemble([(0xC1, [0xFF, 0xFF])])
    }
    var invalid: [UInt8] = []
    let deflating = codec()
    [UInt8](Array("abc".utf8) + [0xFF]).withUnsafeBytes { deflating.compress($0, into: &invalid) }
    #expect(throws: WebSocketError.invalidText) { try assemble([(0xC1, invalid)]) }
    // Text is checked before the message ends.
    #expect(throws: WebSocketError.invalidText) {
      try assemble([(0x41, invalid + [0, 0, 0xFF, 0xFF])])
    }
  }

  // MARK: - Sockets

  @Test(
    "Both ends understand each other in every split, with every setting",
    arguments: [1, 7, 1 << 16], [(9, true), (12, true), (15, false)])
  func socketsTalk(_ size: Int, _ choice: (window: Int, usesContext: Bool)) throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    network.pieceSize = size
    let server = HTTPServer(on: network)
    var options = WebSocketOptions()
    options.compress(Self.settings(window: choice.window, usesContext: choice.usesContext))
    server.webSocket("/", options: options) { $0.messages.bind(to: $0) }
    try server.listen(.tcp("server", port: 80))
    let sent = (0..<30).map { number -> WebSocketMessage in
      number % 2 == 0
        ? .text(String(repeating: "message \(number) ", count: number))
        : .binary(repetitiveBytes(number * 50, seed: UInt64(number)))
    }
    var received: [WebSocketMessage] = []
    WebSocket.connect(to: "ws://server", options: options, on: network).observe(
      succeeded: { socket in
        socket.messages.observe(
          next: { message in
            received.append(message)
            if received.count == sent.count { socket.close() }
          }, failed: { Issue.record("\($0)") })
        for message in sent { _ = socket.send(message) }
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(by: .seconds(1))
    #expect(received == sent)
  }

  @Test(
    "A message that is refused or dropped is not needed for later ones",
    arguments: [
      Overflow.wait, .dropOldest,
    ])
  func lostMessagesAreNotNeeded(_ overflow: Overflow) throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    network.capacity = 1 << 9
    let server = HTTPServer(on: network)
    var options = WebSocketOptions()
    options.compress(Self.settings())
    var far: WebSocket?
    server.webSocket("/", options: options) { socket in
      far = socket
      socket.limit = 1 << 10
      socket.overflow = overflow
    }
    try server.listen(.tcp("server", port: 80))
    var near: WebSocket?
    WebSocket.connect(to: "ws://server", options: options, on: network).observe(
      succeeded: { near = $0 }, failed: { Issue.record("\($0)") })
    scheduler.advance(by: .seconds(1))
    /// A message that begins as all others do, at a distance of its own.
    func numbered(_ number: Int) -> [UInt8] {
      repetitiveBytes(100, seed: 99) + repetitiveBytes(900 + 7 * number, seed: UInt64(number))
        + [UInt8(number)]
    }
    var refused = 0
    for number in 0..<40 {
      if far?.send(numbered(number)) == false { refused += 1 }
    }
    var numbers: [UInt8] = []
    near?.messages.observe(
      next: { message in
        guard case .binary(let bytes) = message, let last = bytes.last else { return }
        #expect(bytes == (last == 255 ? [255] : numbered(Int(last))))
        numbers.append(last)
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(by: .seconds(1))
    // It would refer to the one that was refused.
    _ = far?.send(numbered(39))
    _ = far?.send([255])
    scheduler.advance(by: .seconds(1))
    #expect(numbers.last == 255 && numbers.count > 3 && numbers.count < 42)
    #expect((refused > 0) == (overflow == .wait))
  }

  @Test("A message that is sent while another one is taken can be read")
  func nestedMessagesCanBeRead() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    network.capacity = 1 << 9
    let server = HTTPServer(on: network)
    var options = WebSocketOptions()
    options.compress(Self.settings())
    var far: WebSocket?
    server.webSocket("/", options: options) { socket in
      far = socket
      socket.limit = 1 << 10
    }
    try server.listen(.tcp("server", port: 80))
    var received: [WebSocketMessage] = []
    WebSocket.connect(to: "ws://server", options: options, on: network).observe(
      succeeded: { socket in
        socket.messages.observe(
          next: { received.append($0) }, failed: { Issue.record("\($0)") })
      }, failed: { Issue.record("\($0)") })
    scheduler.advance(by: .seconds(1))
    var generator = SeededGenerator(seed: 1)
    let first = (0..<800).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let outer = (0..<600).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let nested = Array(outer.prefix(80))
    let observation = far?.isWritable.observeNext { isWritable in
      if isWritable { return }
      far?.limit = 1 << 12
      #expect(far?.send(nested) == true)
    }
    _ = far?.send(first)
    #expect(far?.send(outer) == true)
    scheduler.advance(by: .seconds(1))
    _ = far?.send(nested)
    scheduler.advance(by: .seconds(1))
    observation?.dispose()
    #expect(received == [first, outer, nested, nested].map { .binary($0) })
  }
}
