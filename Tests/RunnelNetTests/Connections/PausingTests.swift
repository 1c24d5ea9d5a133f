import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct PausingTests {
  private let scheduler = TestScheduler()
  private let network: TestNetwork
  private let connections: (a: Connection, b: Connection)
  private let peers: (a: Connection, b: Connection)

  /// Two connections of one server, and their peers.
  init() throws {
    network = TestNetwork(on: scheduler)
    network.capacity = 10
    let server = try Listener(.tcp("server", port: 1), on: network)
    var near: [Connection] = []
    var far: [Connection] = []
    let accepting = server.connections.observeNext { near.append($0) }
    for _ in 0..<2 {
      Connection.connect(to: .tcp("server", port: 1), on: network).observe(
        succeeded: { far.append($0) }, failed: { _ in })
      scheduler.run()
    }
    accepting.dispose()
    connections = (near[0], near[1])
    peers = (far[0], far[1])
  }

  private func lines(_ range: Range<Int>) -> String { range.map { "line \($0)\n" }.joined() }

  @Test("A connection pauses while the writer that it feeds is full")
  func pausesAndResumes() {
    let (a, b) = connections
    b.writer.limit = 20
    var delivered = 0
    a.lines().map { "\($0)\n" }.do(next: { _ in delivered += 1 }).bind(to: b.writer)
    _ = peers.a.write(lines(0..<100))
    scheduler.run()
    #expect(delivered < 10)
    #expect(b.writer.waitingCount < 40)
    var received: [String] = []
    peers.b.lines().observe(next: { received.append($0) }, failed: { _ in })
    scheduler.run()
    #expect(received == (0..<100).map { "line \($0)" })
    #expect(delivered == 100)
  }

  @Test("A handler that writes in a loop is refused at twice the limit")
  func loopInHandlerEnds() {
    let (a, b) = connections
    b.writer.limit = 20
    var accepted = 0
    a.lines().observe(
      next: { _ in while b.write("12345") { accepted += 5 } }, failed: { _ in })
    _ = peers.a.write("go\n")
    scheduler.run()
    #expect(accepted <= 40 + 10)
    #expect(accepted >= 40)
  }

  @Test("A failure reaches a reader that is paused")
  func failureReachesPausedReader() {
    let (a, b) = connections
    b.writer.limit = 5
    var failure: SocketError?
    a.lines().do(next: { _ = b.write("\($0) is longer than the limit\n") }).observe(
      next: { _ in }, failed: { failure = $0 })
    _ = peers.a.write(lines(0..<20))
    scheduler.run()
    #expect(failure == nil)
    network.reset(a)
    scheduler.run()
    #expect(failure?.cause == .reset)
  }

  @Test("The end reaches a reader without demand, after the demanded lines")
  func endNeedsNoDemand() {
    let (a, _) = connections
    let demand = Demand(2)
    var log: [String] = []
    a.lines(demand: demand).observe(
      next: { log.append($0) }, failed: { _ in }, completed: { log.append("end") })
    _ = peers.a.write("1\n2\n3\n")
    peers.a.finish()
    scheduler.run()
    #expect(log == ["1", "2"])
    demand.request()
    scheduler.run()
    #expect(log == ["1", "2", "3", "end"])
  }

  @Test("Closing another connection in a handler leaves the bytes of this one intact")
  func closingOtherKeepsBytes() {
    let (a, b) = connections
    network.capacity = 1_000
    _ = peers.b.write(String(repeating: "noise\n", count: 50))
    _ = b.write("bye\n")
    scheduler.run()
    var received: [String] = []
    a.lines().observe(
      next: {
        received.append($0)
        if received.count == 2 { b.close() }
      }, failed: { _ in })
    _ = peers.a.write(lines(0..<20))
    scheduler.run()
    #expect(received == (0..<20).map { "line \($0)" })
  }

  @Test("Two writers that are full both have to be free")
  func twoFullWritersPause() {
    let (a, b) = connections
    a.writer.limit = 5
    b.writer.limit = 5
    var delivered = 0
    a.lines().observe(
      next: { line in
        delivered += 1
        _ = a.write("\(line) long enough\n")
        _ = b.write("\(line) long enough\n")
      }, failed: { _ in })
    _ = peers.a.write("1\n2\n3\n")
    scheduler.run()
    #expect(delivered == 1)
    let first = peers.b.bytes.observe(next: { _ in }, failed: { _ in })
    scheduler.run()
    #expect(delivered == 1)
    let second = peers.a.bytes.observe(next: { _ in }, failed: { _ in })
    scheduler.run()
    #expect(delivered == 3)
    first.dispose()
    second.dispose()
  }

  @Test("A full writer stops the parts, and the peer receives all of them")
  func fullWriterPausesParts() throws {
    let pair = try Pair()
    pair.far.writer.limit = 10_000
    let line = String(repeating: "x", count: 999) + "\n"
    var made = 0
    EventStream<String, Never>.pulled {
      made += 1
      return made > 5_000 ? nil : .sequence([line, line])
    }.bind(to: pair.far.writer)
    pair.scheduler.advance(by: .seconds(1))
    // Nobody reads, so the parts stop when the buffers are full.
    let stopped = made
    #expect(stopped < 5_000)
    pair.scheduler.advance(by: .seconds(1))
    #expect(made == stopped)
    var count = 0
    pair.near.bytes.observe(next: { count += $0.count }, failed: { Issue.record("\($0)") })
    pair.scheduler.advance(by: .seconds(60))
    #expect(made == 5_001 && count == 10_000_000)
  }
}
