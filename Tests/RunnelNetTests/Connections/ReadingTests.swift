import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ReadingTests {
  private let scheduler: TestScheduler
  private let near: Connection
  private let far: Connection

  /// The server reads here what the client writes.
  init() throws {
    let pair = try Pair { $0.capacity = 10 }
    (scheduler, near, far) = (pair.scheduler, pair.far, pair.near)
  }

  @Test("A reading that begins in the completion of another one also completes")
  func readingInCompletion() {
    var log: [String] = []
    near.bytes.observe(
      next: { _ in }, failed: { _ in },
      completed: { [near] in
        log.append("first")
        near.lines().observe(
          next: { _ in }, failed: { _ in }, completed: { log.append("second") })
      })
    far.finish()
    scheduler.run()
    #expect(log == ["first", "second"])
  }

  @Test("The next reading may use the same demand")
  func demandIsUsedAgain() {
    let demand = Demand(1)
    var log: [String] = []
    near.lines(demand: demand).take(1).observe(
      next: { log.append($0) }, failed: { _ in },
      completed: { [near] in
        near.lines(demand: demand).observe(next: { log.append($0) }, failed: { _ in })
      })
    _ = far.write("a\nb\nc\n")
    scheduler.run()
    demand.request(1)
    scheduler.run()
    #expect(log == ["a", "b"])
  }

  @Test("Connections that share a demand send no more than it allows, also when one has ended")
  func demandIsShared() {
    let demand = Demand()
    var log: [String] = []
    let readings = [near, far].map { connection in
      connection.lines(demand: demand).observe(next: { log.append($0) }, failed: { _ in })
    }
    _ = far.write("a\nb\nc\n")
    _ = near.write("d\ne\n")
    scheduler.run()
    #expect(log.isEmpty)
    demand.request(3)
    scheduler.run()
    #expect(log.count == 3)
    #expect(demand.count == 0)
    readings[0].dispose()
    demand.request(2)
    scheduler.run()
    #expect(log.filter { "de".contains($0) } == ["d", "e"])
    #expect(demand.count == 5 - log.count)
  }

  @Test func resetReachesReaderWithoutDemand() {
    var log: [SocketError.Cause] = []
    near.bytes(demand: Demand(0)).observe(next: { _ in }, failed: { log.append($0.cause) })
    scheduler.run()
    far.reset()
    scheduler.run()
    #expect(log == [.reset])
  }

  @Test("Many small messages are demanded one by one from one piece")
  func demandsFromOnePiece() async {
    await withLoop { loop in
      let log = EventLog<Int>()
      let server = Server(on: loop) { connection in
        let demand = Demand(1)
        var count = 0
        connection.lines(demand: demand).observe(
          next: { _ in
            count += 1
            demand.request()
          }, failed: { _ in }, completed: { log.add(count) })
      }
      let peer = server.connect()
      peer.send([UInt8](repeating: 10, count: 200_000))
      peer.close()
      #expect(log.wait(for: 1) == [200_000])
    }
  }

  @Test("Bytes after urgent data of TCP are read")
  func urgentData() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.lines().observe(next: { log.add($0) }, failed: { log.add("\($0)") })
      }
      let peer = server.connect()
      server.wait(forConnections: 1)
      // All of it is there before the loop reads.
      loop.wait {
        peer.send("abc")
        _ = send(peer.number, "x", 1, Int32(MSG_OOB))
        peer.send("def\n")
      }
      #expect(log.wait(for: 1) == ["abcdef"])
      peer.close()
    }
  }
}
