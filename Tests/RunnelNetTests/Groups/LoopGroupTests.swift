import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Runs the body of a test with a group, on a thread that may block. The group ends with the test.
func withGroup(_ count: Int = 3, _ body: @escaping @Sendable (LoopGroup) -> Void) async {
  await ManualContext.onThread { _ in
    let group = LoopGroup(name: "test", count: count)
    defer {
      group.stop()
      group.join()
    }
    body(group)
  }
}

extension LoopGroup {
  /// Listens at a free port of 127.0.0.1, or at another endpoint.
  func serve(
    at endpoint: Endpoint = .tcp("127.0.0.1", port: 0), sharesPort: Bool = false,
    _ handle: @escaping @Sendable (Connection) -> Void
  ) -> GroupListener {
    var options = ListenerOptions()
    options.sharesPort = sharesPort
    do {
      return try listen(endpoint, options: options, failed: { Issue.record($0) }, handle)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Waits until all loops have run the jobs before.
  func settle() {
    for loop in loops { loop.wait {} }
  }
}

/// Answers each line with the same line.
@Sendable func echo(_ connection: Connection) {
  connection.lines().map { "\($0)\n" }.bind(to: connection.writer)
}

@Suite struct LoopGroupTests {
  @Test func hasOneLoopForEachProcessor() async {
    await ManualContext.onThread { _ in
      let group = LoopGroup(name: "all")
      #expect(
        !group.loops.isEmpty && group.loops.count <= Int(sysconf(Int32(_SC_NPROCESSORS_CONF))))
      #expect(group.loops.map(\.name) == group.loops.indices.map { "all-\($0 + 1)" })
      group.stop()
      group.join()
    }
  }

  @Test("1,000 connections are served by several loops, each on the loop that accepted it")
  func connectionsStayOnTheirLoops() async {
    await withGroup { group in
      let served = EventLog<String>()
      let strays = EventLog<String>()
      let listener = group.serve { connection in
        let loop = EventLoop.current
        served.add(loop?.name ?? "none")
        connection.lines().do(next: { line in
          if loop?.isCurrent != true { strays.add(line) }
        }).map { "\($0)\n" }.bind(to: connection.writer)
      }
      #expect(listener.address.port != 0)
      let peers = (0..<1_000).map { _ in Peer(to: listener.address) }
      for (number, peer) in peers.enumerated() { peer.send("\(number)\n") }
      for (number, peer) in peers.enumerated() {
        let answer = Array("\(number)\n".utf8)
        if peer.receive(exactly: answer.count) != answer { Issue.record("\(number) was lost") }
      }
      #expect(served.count == 1_000)
      #expect(Set(served.all) == ["test-1", "test-2", "test-3"])
      #expect(strays.all.isEmpty)
    }
  }

  @Test func remoteReachesAllLoopsInOneOrder() async {
    await withGroup { group in
      let logs = group.loops.map { _ in EventLog<Int>() }
      let loops = group.loops
      let threads = (0..<4).map { thread in
        startThread {
          for number in 0..<250 {
            group.remote.send { loop in
              guard loop.isCurrent, let index = loops.firstIndex(where: { $0 === loop }) else {
                return
              }
              logs[index].add(thread * 1_000 + number)
            }
          }
        }
      }
      for thread in threads { pthread_join(thread, nil) }
      group.settle()
      #expect(logs.allSatisfy { $0.count == 1_000 && $0.all == logs[0].all })
    }
  }

  @Test func stopReleasesEverything() async {
    await ManualContext.onThread { _ in
      let log = EventLog<String>()
      let loops = Confined<[WeakLoop]>([])
      do {
        let group = LoopGroup(name: "test", count: 2)
        loops.value = group.loops.map { WeakLoop(loop: $0) }
        let states = group.perLoop { loop in State(loop, log) }
        let listener = group.serve { connection in
          let state = states.current
          let name = EventLoop.current?.name ?? "none"
          connection.closed.observe(
            completed: {
              state.use()
              log.add("\(name) completed")
            },
            failed: { _ in log.add("\(name) failed") })
          echo(connection)
        }
        let peers = (0..<20).map { _ in Peer(to: listener.address) }
        for peer in peers {
          peer.send("x\n")
          #expect(peer.receive(exactly: 2).count == 2)
        }
        group.stop()
        group.stop()
        group.join()
        for peer in peers { #expect(peer.receiveError() == ECONNRESET) }
        // The observers of closed connections run before the value of their loop is released.
        #expect(log.count == 22)
        for name in ["test-1", "test-2"] {
          let events = log.all.filter { $0.hasPrefix(name) }
          #expect(events.dropLast().allSatisfy { $0 == "\(name) completed" })
          #expect(events.last == "\(name) home")
        }
      }
      // The threads may hold the loops for a moment after the end.
      for loop in loops.value { while loop.loop != nil { sched_yield() } }
    }
  }

  @Test func stoppedGroupRefusesWork() async {
    await ManualContext.onThread { _ in
      let group = LoopGroup(name: "test", count: 2)
      group.stop()
      group.join()
      let states = group.perLoop { _ in Issue.record("made a value") }
      states.send { _ in Issue.record("sent to a value") }
      group.remote.send { _ in Issue.record("sent to a loop") }
      do throws(SocketError) {
        try group.listen(.tcp("127.0.0.1", port: 0)) { _ in }
        Issue.record("A stopped group listens.")
      } catch {
        #expect(error.cause == .system(ECANCELED))
      }
    }
  }

  @Test func joiningOnItsLoopTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let group = LoopGroup(name: "test", count: 1)
      group.stop()
      let other = LoopGroup(name: "test", count: 1)
      other.loops[0].execute { other.join() }
      other.join()
    }
    #expect(result.says("EventLoop.join() was called on the loop's own thread"))
  }
}

private struct WeakLoop {
  weak var loop: EventLoop?
}

/// A value that logs whether it is released on its loop.
final class State {
  private let loop: EventLoop
  private let log: EventLog<String>

  init(_ loop: EventLoop, _ log: EventLog<String>) {
    self.loop = loop
    self.log = log
  }

  func use() {
    if !loop.isCurrent { log.add("used elsewhere") }
  }

  deinit {
    log.add("\(loop.name) \(loop.isCurrent ? "home" : "elsewhere")")
  }
}
