import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct WritingTests {
  @Test func oneWriteOf100MB() async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        _ = connection.write([UInt8](repeating: 7, count: 100_000_000))
      }
      let peer = server.connect()
      var count = 0
      while true {
        let piece = peer.receive(1 << 20)
        if piece.isEmpty { break }
        count += piece.count
      }
      #expect(count == 100_000_000)
    }
  }

  @Test("A million writes of one byte need few system calls")
  func manySmallWrites() async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.writer.limit = 2_000_000
        for number in 0..<1_000_000 {
          let byte = UInt8(truncatingIfNeeded: number)
          withUnsafeBytes(of: byte) { #expect(connection.writer.write($0)) }
        }
      }
      let received = server.connect().receiveAll()
      #expect(received.count == 1_000_000)
      #expect(received.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0) })
    }
  }

  @Test func writesKeepTheirOrder() async {
    let texts = (0..<500).map { String(repeating: "\($0)", count: 1 + $0 * $0 % 3_000) }
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.writer.limit = 10_000_000
        for (number, text) in texts.enumerated() {
          switch number % 3 {
          case 0: _ = connection.write(text)
          case 1: _ = connection.write(Array(text.utf8))
          default: _ = connection.writer.writing(Array(text.utf8)).observe(completed: {})
          }
        }
      }
      #expect(server.connect().receiveText() == texts.joined())
    }
  }

  @Test func completionComesWhenWritten() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        let writer = connection.writer
        writer.writing([UInt8](repeating: 1, count: 3_000_000))
          .andThen(writer.writing("end"))
          .observe(completed: { log.add("written, \(writer.waitingCount) wait") })
        // An empty write completes too.
        writer.writing([]).observe(completed: { log.add("empty") })
      }
      let peer = server.connect(receiveBuffer: 4_096)
      peer.send("x")
      #expect(peer.receiveAll().count == 3_000_003)
      #expect(log.all.last == "written, 0 wait")
    }
  }

  @Test("Writing fails when the peer has gone, once for each operation")
  func completionFails() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let kept = Confined<Connection?>(nil)
      let server = Server(on: loop, { $0.connection.sendBuffer = 4_096 }) { connection in
        kept.value = connection
        for _ in 0..<3 {
          connection.writer.writing([UInt8](repeating: 1, count: 1_000_000)).observe(
            completed: { log.add("completed") }, failed: { log.add("\($0)") })
        }
      }
      let peer = server.connect(receiveBuffer: 4_096)
      server.wait(forConnections: 1)
      peer.reset()
      #expect(log.wait(for: 3).filter { $0 == "completed" }.isEmpty)
      loop.wait {
        #expect(kept.value?.writer.isOpen == false)
        #expect(kept.value?.write("more") == false)
        kept.value = nil
      }
    }
  }

  // MARK: - Overflow

  private func pair() throws -> (TestScheduler, near: Connection, far: Connection) {
    let pair = try Pair { $0.capacity = 10 }
    return (pair.scheduler, pair.near, pair.far)
  }

  private func text(of connection: Connection, _ scheduler: TestScheduler) -> String {
    var all: [UInt8] = []
    connection.bytes.observe(next: { all += $0 }, failed: { _ in })
    scheduler.run()
    return String(decoding: all, as: UTF8.self)
  }

  @Test func waitRefusesOtherWrites() throws {
    let (scheduler, near, far) = try pair()
    near.writer.limit = 6
    #expect(near.write("0123456789"))
    scheduler.run()
    #expect(near.write("abcdef"))
    #expect(!near.write("g"))
    #expect(!near.writer.isWritable.value)
    #expect(text(of: far, scheduler) == "0123456789abcdef")
    #expect(near.writer.isWritable.value)
    #expect(near.write("g"))
  }

  @Test func dropOldestKeepsLatest() throws {
    let (scheduler, near, far) = try pair()
    near.writer.overflow = .dropOldest
    near.writer.limit = 6
    #expect(near.write("0123456789"))
    scheduler.run()
    for text in ["aa", "bb", "cc", "dd", "ee"] { #expect(near.write(text)) }
    var lost: DescriptorError?
    near.writer.writing("ff").observe(failed: { lost = $0 })
    #expect(lost == nil)
    _ = near.write("gggg")
    #expect(text(of: far, scheduler) == "0123456789ffgggg")
  }

  @Test("A piece that is partly written is completed")
  func dropOldestKeepsBegunPiece() throws {
    let (scheduler, near, far) = try pair()
    near.writer.overflow = .dropOldest
    near.writer.limit = 6
    #expect(near.write("0123456789begun"))
    scheduler.run()
    for text in ["a", "b", "c", "d"] { #expect(near.write(text)) }
    #expect(text(of: far, scheduler) == "0123456789begund")
  }

  @Test func failResetsConnection() throws {
    let (scheduler, near, far) = try pair()
    near.writer.overflow = .fail
    near.writer.limit = 6
    var failure: SocketError?
    near.closed.observe(failed: { failure = $0 })
    _ = near.write("0123456789")
    scheduler.run()
    #expect(near.write("abcdef"))
    #expect(!near.write("g"))
    #expect(failure?.cause == .overflow(limit: 6))
    #expect(!near.isOpen)
    var ended: SocketError?
    far.bytes.observe(next: { _ in }, failed: { ended = $0 })
    scheduler.run()
    #expect(ended?.cause == .reset)
  }

  @Test("A stream that cannot pause and is bound to a full writer fails it")
  func boundTimerOverflows() throws {
    let (scheduler, near, far) = try pair()
    defer { withExtendedLifetime(far) {} }
    near.writer.limit = 20
    var failure: SocketError?
    near.closed.observe(failed: { failure = $0 })
    EventStream<Int, Never>.interval(.seconds(1), on: scheduler).map { "\($0) tick\n" }
      .bind(to: near.writer)
    scheduler.advance(by: .seconds(20))
    #expect(failure?.cause == .overflow(limit: 20))
    #expect(scheduler.pending == 0)
  }

  @Test("isWritable is false at the limit of each policy", arguments: [Overflow.fail, .dropOldest])
  func isWritableIsFalse(_ policy: Overflow) throws {
    let (scheduler, near, far) = try pair()
    near.writer.overflow = policy
    near.writer.limit = 20
    let isWritable = near.writer.isWritable
    _ = near.write(String(repeating: "x", count: 10))
    scheduler.run()
    _ = near.write(String(repeating: "x", count: 20))
    #expect(!isWritable.value)
    _ = text(of: far, scheduler)
    #expect(isWritable.value)
  }

  @Test("The completion of a dropped piece may end the connection")
  func droppedPieceResets() throws {
    let (scheduler, near, far) = try pair()
    near.writer.limit = 20
    near.writer.overflow = .dropOldest
    _ = near.write(String(repeating: "x", count: 10))
    scheduler.run()
    near.writer.writing(String(repeating: "y", count: 15)).observe(
      completed: {}, failed: { _ in near.reset() })
    var failures = 0
    near.writer.writing(String(repeating: "z", count: 15)).observe(
      completed: {}, failed: { _ in failures += 1 })
    scheduler.run()
    #expect(failures == 1)
    #expect(near.writer.waitingCount == 0)
    withExtendedLifetime(far) {}
  }

  @Test("A writer that ends while it becomes full does not keep its source paused")
  func endedWriterResumesSource() throws {
    let (scheduler, source, sender) = try pair()
    let (others, target, reader) = try pair()
    target.writer.limit = 5
    target.writer.isWritable.stream.observeNext { if !$0 { target.reset() } }
    var log: [String] = []
    source.lines().observe(
      next: {
        log.append($0)
        _ = target.write("0123456789")
      }, failed: { _ in })
    for text in ["a\n", "b\n"] {
      _ = sender.write(text)
      scheduler.run()
      others.run()
    }
    #expect(log == ["a", "b"])
    withExtendedLifetime(reader) {}
  }

  @Test("A closed connection whose peer reads nothing is reset in the end")
  func closingHasLimit() throws {
    let (scheduler, near, far) = try pair()
    _ = near.write(String(repeating: "x", count: 100))
    near.close()
    scheduler.advance(by: .seconds(29))
    #expect(near.isOpen)
    scheduler.advance(by: .seconds(2))
    #expect(!near.isOpen)
    withExtendedLifetime(far) {}
  }

  // MARK: - Files

  @Test("The bytes of a file do not count towards the limit")
  func fileDoesNotCount() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.write("file", String(repeating: "f", count: 2_000_000))
      let server = Server(on: loop, { $0.connection.sendBuffer = 4_096 }) { connection in
        connection.writer.limit = 10
        connection.writer.sending(file: folder["file"]).observe(failed: { Issue.record("\($0)") })
        #expect(connection.write("after"))
        #expect(connection.write(" and more"))
        #expect(!connection.write("too much"))
        #expect(connection.writer.waitingCount > 10)
      }
      let end = Array("fafter and more".utf8)
      #expect(server.connect().receiveAll().suffix(end.count) == end[...])
    }
  }

  @Test func sendsFile() async {
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = folder["file"]
      let file = open(path, O_CREAT | O_WRONLY, 0o600)
      var rest = content[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
      }
      close(file)
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        let writer = connection.writer
        _ = writer.write("head")
        writer.sending(file: path).andThen(writer.sending(file: path, range: 5..<10))
          .observe(completed: { log.add("sent") }, failed: { log.add("\($0)") })
      }
      let received = server.connect().receiveAll()
      #expect(received == Array("head".utf8) + content + content[5..<10])
      #expect(log.wait(for: 1) == ["sent"])
    }
  }

  @Test func unsuitableFilesFail() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let folder = TemporaryFolder()
      folder.write("short", "abc")
      let server = Server(on: loop) { connection in
        let writer = connection.writer
        for (path, range) in [("missing", nil), ("", nil), ("short", 1..<9)]
          as [(String, Range<Int>?)]
        {
          writer.sending(file: folder[path], range: range).observe(
            completed: { log.add("completed") }, failed: { log.add("\($0)") })
        }
      }
      let peer = server.connect()
      let messages = log.wait(for: 3)
      #expect(messages[0].contains("No such file"))
      #expect(messages[1].contains("Is a directory"))
      #expect(messages[2].contains("out of range"))
      #expect(peer.receiveAll().isEmpty)
    }
  }

  // MARK: - Rates

  @Test func writingRateIsLimited() throws {
    let (scheduler, near, far) = try pair()
    near.limitWriting(bytesPerSecond: 100)
    var arrivals: [Duration] = []
    far.bytes.observe(next: { _ in arrivals.append(scheduler.now) }, failed: { _ in })
    let start = scheduler.now
    _ = near.write([UInt8](repeating: 1, count: 300))
    scheduler.run()
    let time = (arrivals.last ?? .zero) - start
    #expect(time > .seconds(2.5) && time < .seconds(3.5))
  }

  @Test func readingRateIsLimited() throws {
    let (scheduler, near, far) = try pair()
    far.limitReading(bytesPerSecond: 100)
    var count = 0
    far.bytes.observe(next: { count += $0.count }, failed: { _ in })
    let start = scheduler.now
    _ = near.write([UInt8](repeating: 1, count: 300))
    scheduler.run()
    let time = scheduler.now - start
    #expect(count == 300)
    #expect(time > .seconds(2.5) && time < .seconds(3.5))
    far.limitReading(bytesPerSecond: nil)
    _ = near.write([UInt8](repeating: 1, count: 300))
    let middle = scheduler.now
    scheduler.run()
    #expect(count == 600)
    #expect(scheduler.now == middle)
  }
}
