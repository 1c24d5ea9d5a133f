import RunnelNet
import RunnelTesting
import Testing

@Suite struct MessageAssemblerTests {
  /// Checks the events of frames in every split into pieces of one size, and in every two pieces.
  private func expect(
    _ frames: [Frame], _ events: [MessageAssembler.Event], _ error: WebSocketError? = nil,
    location: SourceLocation = #_sourceLocation
  ) {
    let bytes = frames.bytes
    for size in [1, 2, 3, 7, 1_000, .max] {
      let result = assemble(bytes, pieces: size)
      #expect(result.events == events, sourceLocation: location)
      #expect(result.error == error, sourceLocation: location)
    }
  }

  @Test("The examples of RFC 6455, section 5.7, are decoded")
  func examplesAreDecoded() {
    let masked: [UInt8] = [
      0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
    ]
    #expect(assemble(masked).events == [.message(.text("Hello"))])
    let plain: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    #expect(assemble(plain, isMasked: false).events == [.message(.text("Hello"))])
    let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
    #expect(assemble(fragments, isMasked: false).events == [.message(.text("Hello"))])
    let ping: [UInt8] = [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    #expect(assemble(ping, isMasked: false).events == [.ping(Array("Hello".utf8))])
    let large = [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)
    #expect(
      assemble(large, isMasked: false).events
        == [.message(.binary([UInt8](repeating: 7, count: 256)))])
  }

  @Test(arguments: [0, 1, 124, 125, 126, 127, 65_535, 65_536, 65_537])
  func lengthsAreDecoded(_ count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    expect([Frame(opcode: 2, payload: payload)], [.message(.binary(payload))])
  }

  @Test func fragmentsAreJoinedAroundControlFrames() {
    expect(
      [
        .text("a", isFinal: false), Frame(opcode: 9, payload: [1]),
        .continuation("", isFinal: false),
        Frame(opcode: 10, payload: [2]), .continuation("b"), Frame(opcode: 2, payload: [3]),
      ],
      [.ping([1]), .pong([2]), .message(.text("ab")), .message(.binary([3]))])
  }

  @Test("A reserved bit, or an unknown opcode, is refused")
  func reservedBitsAreRefused() {
    for bits: UInt8 in 1...7 {
      expect([Frame(opcode: 1, reserved: bits)], [], .malformed("a reserved bit is set"))
    }
    for opcode: UInt8 in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
      expect([Frame(opcode: opcode)], [], .malformed("an unknown opcode"))
      // The first byte is enough.
      #expect(assemble([0x80 | opcode]).error == .malformed("an unknown opcode"))
    }
  }

  @Test("A length in a longer form than needed is refused")
  func longFormsAreRefused() {
    let error = WebSocketError.malformed("a length is not written in its shortest form")
    for count in [0, 1, 125] {
      let payload = [UInt8](repeating: 0, count: count)
      expect([Frame(opcode: 2, payload: payload, lengthCount: 2)], [], error)
      expect([Frame(opcode: 2, payload: payload, lengthCount: 8)], [], error)
    }
    let payload = [UInt8](repeating: 0, count: 65_535)
    expect([Frame(opcode: 2, payload: payload, lengthCount: 8)], [], error)
    let negative: [UInt8] = [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]
    #expect(assemble(negative).error == .malformed("an invalid length"))
  }

  @Test func controlFramesAreShortAndWhole() {
    for opcode: UInt8 in [8, 9, 10] {
      let payload = [UInt8](repeating: 0x61, count: 126)
      expect(
        [Frame(opcode: opcode, payload: payload)], [],
        .malformed("a control frame is too long"))
      expect(
        [Frame(opcode: opcode, isFinal: false)], [], .malformed("a fragment of a control frame"))
    }
    let longest = [UInt8](repeating: 0x61, count: 125)
    expect([Frame(opcode: 9, payload: longest)], [.ping(longest)])
  }

  @Test func maskMustFitTheRole() {
    let text = [Frame.text("a")]
    #expect(
      assemble(text.unmasked.bytes).error == .malformed("a frame of a client without a mask"))
    #expect(
      assemble(text.bytes, isMasked: false).error
        == .malformed("a frame of a server with a mask"))
  }

  @Test func fragmentsOutOfOrderAreRefused() {
    expect([.continuation("a")], [], .malformed("a continuation without a beginning"))
    expect(
      [.text("a"), .continuation("b")], [.message(.text("a"))],
      .malformed("a continuation without a beginning"))
    for opcode: UInt8 in [1, 2] {
      expect(
        [.text("a", isFinal: false), Frame(opcode: opcode)], [],
        .malformed("a message within another one"))
    }
  }

  @Test("A message is limited by its bytes, also over fragments")
  func sizeIsLimited() {
    let full = [Frame.text("abc", isFinal: false), .continuation("de")]
    #expect(assemble(full.bytes, limit: 5).events == [.message(.text("abcde"))])
    #expect(assemble(full.bytes, limit: 4).error == .tooLarge(limit: 4))
    // The header is enough, also of the largest length.
    let header: [UInt8] = [0x82, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255]
    #expect(assemble(header + [0, 0, 0, 0]).error == .tooLarge(limit: 1 << 20))
    let second =
      [Frame(opcode: 2, payload: [1], isFinal: false)].bytes + [0x80] + header.dropFirst()
    #expect(assemble(second + [0, 0, 0, 0]).error == .tooLarge(limit: 1 << 20))
  }

  @Test func fragmentsAndPingsBetweenAreLimited() {
    let start = Frame.text("", isFinal: false)
    let empty = Frame.continuation("", isFinal: false)
    let ping = Frame(opcode: 9)
    #expect(
      assemble(([start] + Array(repeating: empty, count: 5)).bytes, fragments: 5).error
        == .tooManyFragments(limit: 5))
    #expect(
      assemble(([start] + Array(repeating: ping, count: 6)).bytes, fragments: 5).error
        == .tooManyFragments(limit: 5))
    let whole = [start] + Array(repeating: empty, count: 3) + [.continuation("")]
    let several = Array(repeating: whole, count: 3).flatMap { $0 }
    #expect(assemble(several.bytes, fragments: 5).events.count == 3)
    #expect(assemble(Array(repeating: ping, count: 50).bytes, fragments: 5).error == nil)
  }

  @Test func closeCodesAreChecked() {
    expect([Frame(opcode: 8)], [.close(WebSocketClosure(.none))])
    expect([Frame(opcode: 8, payload: [3])], [], .malformed("a close frame of one byte"))
    expect([.close(1000, "bye")], [.close(WebSocketClosure(.normal, "bye"))])
    let valid = Set([Array(1000...1003), Array(1007...1014), Array(3000...4999)].joined())
    for code in Array(0...5_100) + [65_535] {
      let result = assemble([Frame.close(code)].bytes)
      #expect((result.error == nil) == valid.contains(code), "\(code)")
    }
    let invalid = Frame(opcode: 8, payload: [3, 232, 0xCE])
    expect([invalid], [], .invalidText)
  }

  @Test(
    "Random frames give the same events as a slow model, in random pieces", arguments: seeds(14))
  func randomFramesMatchTheModel(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var frames: [Frame] = []
    var events: [MessageAssembler.Event] = []
    for _ in 0..<20 {
      let isText = Bool.random(using: &generator)
      let count = [3, 200, 70_000].randomElement(using: &generator) ?? 3
      let text = String(
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in
          "aé€😀".randomElement(using: &generator) ?? "a"
        })
      let payload = Array(text.utf8)
      var start = 0
      var isFirst = true
      repeat {
        let count = Int.random(in: 0...(payload.count - start), using: &generator)
        let isLast = Bool.random(using: &generator)
        let end = isLast ? payload.count : start + count
        frames.append(
          Frame(
            opcode: isFirst ? (isText ? 1 : 2) : 0, payload: Array(payload[start..<end]),
            isFinal: isLast,
            mask: (0..<4).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        (start, isFirst) = (end, false)
        if isLast { break }
        if Bool.random(using: &generator) {
          let control = (0..<Int.random(in: 0...125, using: &generator)).map { UInt8($0) }
          let isPing = Bool.random(using: &generator)
          frames.append(Frame(opcode: isPing ? 9 : 10, payload: control))
          events.append(isPing ? .ping(control) : .pong(control))
        }
      } while true
      events.append(.message(isText ? .text(text) : .binary(payload)))
    }
    let size = [1, 5, 64, 4_096, 1 << 20].randomElement(using: &generator) ?? 1
    let bytes = frames.bytes
    // Single bytes of many would take long.
    let result = assemble(bytes, pieces: bytes.count > 50_000 ? max(size, 64) : size)
    #expect(result.error == nil)
    #expect(result.events == events, "seed \(seed)")
  }

  @Test("The largest limit does not overflow", arguments: [Int.max, .max - 1, .max / 2])
  func largestLimitsAreAccepted(_ limit: Int) {
    final class Plain: WebSocketCodec {
      let minimumCount = 0
      func compress(_ message: UnsafeRawBufferPointer, into output: inout [UInt8]) {}
      func forgetCompressed() {}
      func decompress(
        _ part: UnsafeRawBufferPointer, into message: inout [UInt8], limit: Int
      ) throws(WebSocketError) { message += part }
      func finishMessage(into message: inout [UInt8], limit: Int) throws(WebSocketError) {}
    }
    let frames = [
      Frame(opcode: 2, payload: [1], isFinal: false, reserved: 4), Frame(opcode: 0, payload: [2]),
    ]
    var assembler = MessageAssembler(
      isMasked: true, limits: .init(size: limit, fragments: .max), codec: Plain())
    var used = 0
    let event = frames.bytes.withUnsafeBytes { try? assembler.next($0, &used) }
    #expect(event == .message(.binary([1, 2])))
    expect([Frame(opcode: 2, payload: [1])], [.message(.binary([1]))])
  }
}
