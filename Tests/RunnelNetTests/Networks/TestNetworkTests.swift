import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TestNetworkTests {
  @Test func latencyDelaysBytesAndEnds() throws {
    let pair = try Pair { $0.latency = .milliseconds(20) }
    var log: [String] = []
    let start = pair.scheduler.now
    pair.far.lines().observe(
      next: { log.append("\($0) at \(pair.scheduler.now - start)") },
      failed: { log.append("\($0)") },
      completed: { log.append("end at \(pair.scheduler.now - start)") })
    _ = pair.near.write("hello\n")
    pair.scheduler.advance(by: .milliseconds(19))
    #expect(log.isEmpty)
    pair.near.finish()
    pair.scheduler.advance(by: .milliseconds(30))
    #expect(log == ["hello at 0.02 seconds", "end at 0.039 seconds"])
  }

  @Test func everyByteCanArriveAlone() throws {
    let pair = try Pair { $0.pieceSize = 1 }
    var pieces: [[UInt8]] = []
    pair.far.bytes.observe(next: { pieces.append($0) }, failed: { _ in })
    _ = pair.near.write([1, 2, 3])
    pair.scheduler.run()
    #expect(pieces == [[1], [2], [3]])
  }

  @Test("A peer that does not read blocks the writer, and reading frees it")
  func slowReaderBlocksWriter() throws {
    let pair = try Pair { $0.capacity = 1_000 }
    pair.near.writer.limit = 500
    var drained = 0
    pair.near.writer.drained.observe(next: { drained += 1 }, failed: { _ in })
    #expect(pair.near.write([UInt8](repeating: 1, count: 1_400)))
    pair.scheduler.run()
    #expect(pair.near.writer.waitingCount == 400)
    #expect(pair.near.write([UInt8](repeating: 1, count: 101)))
    #expect(!pair.near.writer.isWritable.value)
    #expect(!pair.near.write([1]))
    var count = 0
    pair.far.bytes.observe(next: { count += $0.count }, failed: { _ in })
    pair.scheduler.run()
    #expect(count == 1_501)
    #expect(drained == 1)
    #expect(pair.near.writer.isWritable.value)
  }

  @Test func cutLosesEverything() throws {
    let pair = try Pair()
    var log: [String] = []
    pair.far.timeLimits = TimeLimits(reading: .seconds(5))
    pair.far.lines().observe(
      next: { log.append($0) }, failed: { log.append("\($0.cause)") },
      completed: { log.append("end") })
    _ = pair.near.write("before\n")
    pair.scheduler.run(limit: 50)
    pair.network.cut(pair.near)
    _ = pair.near.write("lost\n")
    pair.near.finish()
    pair.scheduler.advance(by: .seconds(10))
    #expect(log == ["before", "\(SocketError.Cause.timedOut(.reading))"])
  }

  @Test func resetFailsBothEnds() throws {
    let pair = try Pair()
    var log: [String] = []
    pair.far.bytes.observe(next: { _ in }, failed: { log.append("far \($0.cause)") })
    pair.near.closed.observe(failed: { log.append("near \($0.cause)") })
    pair.network.reset(pair.near)
    pair.scheduler.run()
    let reset = "\(SocketError.Cause.reset)"
    #expect(log.sorted() == ["far \(reset)", "near \(reset)"])
  }

  @Test func refusesWithoutListener() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    var failure: SocketError?
    Connection.connect(to: .tcp("nobody", port: 1), on: network).observe(
      succeeded: { _ in }, failed: { failure = $0 })
    scheduler.run()
    #expect(failure?.cause == .refused)
    #expect("\(try #require(failure))".contains("connect to nobody:1"))
  }
}
