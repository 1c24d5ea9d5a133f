import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct FramingTests {
  private static let framings: [Framing] =
    (1...8).flatMap {
      [Framing.lengthPrefixed(by: $0), .lengthPrefixed(by: $0, .littleEndian)]
    } + [.varintPrefixed(), .delimited(by: [0]), .delimited(by: Array("\r\n\r\n".utf8))]

  private static let messages: [[UInt8]] = [
    [], [65], [13, 10, 13, 9], Array("hello".utf8), [UInt8](repeating: 7, count: 127),
    [UInt8](repeating: 8, count: 128), [UInt8](repeating: 9, count: 255),
  ]

  /// Sends bytes through a test network, and returns what the stream sends.
  private func decode(
    _ bytes: [UInt8], framed framing: Framing, pieces size: Int
  ) throws -> [StreamEvent<[UInt8], SocketError>] {
    try events(of: bytes, pieces: size) { $0.messages(framed: framing) }
  }

  @Test(arguments: framings)
  func decodesWhatItEncodes(_ framing: Framing) throws {
    let messages = Self.messages
    let bytes = messages.flatMap { framing.encode($0) }
    for size in [1, 2, 3, 5, 8, 64, bytes.count] {
      let expected = messages.map { StreamEvent<[UInt8], SocketError>.next($0) } + [.completed]
      #expect(try decode(bytes, framed: framing, pieces: size) == expected)
    }
  }

  @Test func decodesFixedSizes() throws {
    let events = try decode(Array("abcdef".utf8), framed: .fixed(3), pieces: 2)
    #expect(events == [.next(Array("abc".utf8)), .next(Array("def".utf8)), .completed])
  }

  private func failure(
    _ bytes: [UInt8], framed framing: Framing, pieces size: Int = 64
  ) throws -> SocketError.Cause? {
    guard case .failed(let error)? = try decode(bytes, framed: framing, pieces: size).last else {
      return nil
    }
    return error.cause
  }

  @Test("An end inside a message fails the stream", arguments: [1, 64])
  func endInsideMessageFails(_ size: Int) throws {
    #expect(try failure([0, 5, 1], framed: .lengthPrefixed(by: 2), pieces: size) == .truncated)
    #expect(try failure([0], framed: .lengthPrefixed(by: 2), pieces: size) == .truncated)
    #expect(try failure([0x80], framed: .varintPrefixed(), pieces: size) == .truncated)
    #expect(try failure([1, 2], framed: .fixed(3), pieces: size) == .truncated)
    #expect(try failure([1, 2], framed: .delimited(by: [0]), pieces: size) == .truncated)
  }

  @Test("A message is refused as soon as its length is known", arguments: [1, 64])
  func longMessageFails(_ size: Int) throws {
    let limit = SocketError.Cause.tooLong(limit: 4)
    #expect(
      try failure([0, 5, 1], framed: .lengthPrefixed(by: 2, longest: 4), pieces: size) == limit)
    #expect(try failure([5], framed: .varintPrefixed(longest: 4), pieces: size) == limit)
    #expect(
      try failure([1, 2, 3, 4, 5], framed: .delimited(by: [0], longest: 4), pieces: size) == limit)
    let huge = [UInt8](repeating: 255, count: 8)
    #expect(try failure(huge, framed: .lengthPrefixed(by: 8, longest: 4), pieces: size) == limit)
  }

  @Test func malformedVarintFails() throws {
    let eleven = [UInt8](repeating: 0x80, count: 10) + [1]
    #expect(try failure(eleven, framed: .varintPrefixed()) == .malformed)
    let tooBig = [UInt8](repeating: 0xff, count: 9) + [2]
    #expect(try failure(tooBig, framed: .varintPrefixed()) == .malformed)
    let largest = [UInt8](repeating: 0xff, count: 9) + [1]
    #expect(try failure(largest, framed: .varintPrefixed()) == .tooLong(limit: 1 << 20))
  }

  @Test("A length near the largest number does not overflow")
  func largestLength() throws {
    let bytes: [UInt8] = [0x7f] + [UInt8](repeating: 0xff, count: 7) + [1]
    let framing = Framing.lengthPrefixed(by: 8, longest: .max)
    #expect(try failure(bytes, framed: framing) == .truncated)
  }

  @Test func messageOfExactLimitPasses() throws {
    let framing = Framing.delimited(by: [0], longest: 3)
    let events = try decode([1, 2, 3, 0], framed: framing, pieces: 1)
    #expect(events == [.next([1, 2, 3]), .completed])
  }

  @Test("A delimiter that begins twice is found")
  func overlappingDelimiter() throws {
    let framing = Framing.delimited(by: Array("aab".utf8))
    for size in 1...4 {
      let events = try decode(Array("aaab".utf8), framed: framing, pieces: size)
      #expect(events == [.next(Array("a".utf8)), .completed])
    }
  }

  @Test func encodingMisuseTraps() async {
    await #expect(processExitsWith: .failure) { _ = Framing.fixed(2).encode([1]) }
    await #expect(processExitsWith: .failure) { _ = Framing.delimited(by: [0]).encode([1, 0]) }
    await #expect(processExitsWith: .failure) {
      _ = Framing.lengthPrefixed(by: 1).encode([UInt8](repeating: 0, count: 256))
    }
  }
}
