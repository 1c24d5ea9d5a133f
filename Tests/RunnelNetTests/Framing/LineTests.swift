import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct LineTests {
  private func lines(
    _ bytes: [UInt8], longest limit: Int = 100, pieces size: Int
  ) throws -> [StreamEvent<String, SocketError>] {
    try events(of: bytes, pieces: size) { $0.lines(longest: limit) }
  }

  @Test(arguments: [1, 2, 3, 64])
  func splitsLines(_ size: Int) throws {
    let events = try lines(Array("one\ntwo\r\n\n\r\nä€🙂\nlast".utf8), pieces: size)
    let expected = ["one", "two", "", "", "ä€🙂", "last"]
    #expect(events == expected.map { .next($0) } + [.completed])
  }

  @Test func invalidBytesAreReplaced() throws {
    #expect(try lines([0xff, 65, 10], pieces: 1) == [.next("\u{fffd}A"), .completed])
  }

  @Test(arguments: [1, 64])
  func lineLongerThanLimitFails(_ size: Int) throws {
    let exact = try lines(Array("abc\r\n".utf8), longest: 4, pieces: size)
    #expect(exact == [.next("abc"), .completed])
    for bytes in ["abcd\r\n", "abcde", "ok\nabcde\n"] {
      let events = try lines(Array(bytes.utf8), longest: 4, pieces: size)
      guard case .failed(let error)? = events.last else {
        Issue.record("\(bytes) did not fail: \(events)")
        continue
      }
      #expect(error.cause == .tooLong(limit: 4))
      #expect(error.operation == .read)
    }
  }
}
