import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Values for each loop of a group.
@Suite struct LoopGroupStateTests {
  @Test("The chat of the documentation reaches the clients of all loops")
  func chatCrossesLoops() async {
    await withGroup { group in
      let rooms = group.perLoop { _ in PushStream<String>() }
      let joined = EventLog<String>()
      let listener = group.serve { connection in
        connection.lines().observe(next: { line in rooms.send { $0.next("\(line)\n") } })
        rooms.current.bind(to: connection.writer)
        joined.add(EventLoop.current?.name ?? "none")
      }
      let peers = (0..<50).map { _ in Peer(to: listener.address) }
      joined.wait(for: 50)
      #expect(Set(joined.all).count > 1)
      for number in 0..<10 { peers[number].send("message \(number)\n") }
      let texts = peers.map { String(decoding: $0.receive(exactly: 100), as: UTF8.self) }
      #expect(texts.allSatisfy { $0 == texts[0] })
      #expect(
        texts[0].split(separator: "\n").sorted() == (0..<10).map { "message \($0)" })
    }
  }

  @Test func valueIsMadeOnceOnEachLoop() async {
    await withGroup { group in
      let made = EventLog<String>()
      let states = group.perLoop { loop in
        made.add("\(loop.name) \(loop.isCurrent)")
        return EventLog<String>()
      }
      for number in 0..<5 { states.send { $0.add("\(number)") } }
      group.settle()
      #expect(made.all.sorted() == ["test-1 true", "test-2 true", "test-3 true"])
      for loop in group.loops {
        #expect(loop.wait { states.current.all } == ["0", "1", "2", "3", "4"])
      }
    }
  }

  @Test func valueIsMadeWhenItIsUsedEarly() async {
    await withGroup(1) { group in
      let made = EventLog<Bool>()
      let counts = group.loops[0].wait {
        let states = group.perLoop { _ in
          made.add(true)
          return EventLog<Int>()
        }
        states.current.add(1)
        return states.current.count
      }
      group.settle()
      #expect(counts == 1 && made.count == 1)
    }
  }

  @Test func releaseElsewhereReleasesOnLoops() async {
    await withGroup { group in
      let log = EventLog<String>()
      do {
        let states = group.perLoop { State($0, log) }
        group.settle()
        withExtendedLifetime(states) {}
      }
      #expect(log.wait(for: 3).sorted() == ["test-1 home", "test-2 home", "test-3 home"])
    }
  }

  @Test func currentTrapsElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let group = LoopGroup(name: "test", count: 1)
      _ = group.perLoop { $0.name }.current
    }
    #expect(result.says("PerLoop.current is the value of a loop of \"test\""))
  }
}
