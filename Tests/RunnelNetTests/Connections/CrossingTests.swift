import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct CrossingTests {
  @Test("A consumer on another loop demands lines one by one")
  func demandThroughOtherLoop() async {
    await withLoop { loop in
      let worker = EventLoop(name: "worker")
      let most = EventLog<Int>()
      let server = Server(on: loop) { connection in
        let demand = Demand(2)
        var sent = 0
        connection.lines(demand: demand)
          .do(next: { _ in
            sent += 1
            most.add(sent)
          })
          .via(worker) { $0.map { $0.uppercased() } }
          .observe(
            next: { line in
              sent -= 1
              _ = connection.write("\(line)\n")
              demand.request()
            }, failed: { _ in })
      }
      let lines = (0..<5_000).map { "line \($0)" }
      let peer = server.connect()
      let sender = startThread {
        peer.send(lines.joined(separator: "\n") + "\n")
      }
      let expected = lines.map { $0.uppercased() + "\n" }.joined()
      #expect(
        String(decoding: peer.receive(exactly: expected.utf8.count), as: UTF8.self) == expected)
      pthread_join(sender, nil)
      #expect(most.all.max() == 2)
      peer.close()
      server.wait(forConnections: 0)
      worker.stop()
      worker.join()
    }
  }

  @Test func nothingIsReadWithoutDemand() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let demand = Confined(Demand())
      let server = Server(on: loop) { connection in
        connection.lines(demand: demand.value).observe(
          next: { log.add($0) }, failed: { log.add("\($0)") }, completed: { log.add("end") })
      }
      let peer = server.connect()
      peer.send("one\ntwo\nthree\n")
      server.wait(forConnections: 1)
      for expected in [["one"], ["one", "two"]] {
        loop.execute { demand.value.request() }
        #expect(log.wait(for: expected.count) == expected)
      }
      loop.execute { demand.value.request(.max) }
      peer.finish()
      #expect(log.wait(for: 4) == ["one", "two", "three", "end"])
    }
  }

  @Test("Use on another thread traps with the name of the operation")
  func otherThreadTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await withLoop { loop in
        let kept = Confined<Connection?>(nil)
        let server = Server(on: loop) { kept.value = $0 }
        _ = server.connect()
        server.wait(forConnections: 1)
        _ = kept.value?.write("from elsewhere")
      }
    }
    #expect(result.says("writing to a Writer is allowed only on the thread of its EventLoop"))
  }

  @Test func secondReaderTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await withLoop { loop in
        let server = Server(on: loop) { connection in
          connection.bytes.observe(next: { _ in }, failed: { _ in })
          connection.lines().observe(next: { _ in }, failed: { _ in })
        }
        _ = server.connect().receive()
      }
    }
    #expect(result.says("A Connection has one reader at a time."))
  }
}
