import Foundation
import FoundationNetworking
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct RequestDisposalTests {
  @Test func disposingCancelsRequest() async {
    let (events, lines) = await withServer { server, home in
      let recorder = session().rx.data(url: server.url("/slow")).stream.record()
      let first = server.nextLine()
      recorder.dispose()
      let second = server.nextLine()
      home.run()
      return (recorder.events.count, [first, second])
    }
    #expect(events == 0)
    #expect(lines == ["GET /slow", "left /slow"])
  }

  @Test func disposingDuringBodyCancelsRequest() async {
    let (events, lines) = await withServer { server, home in
      let recorder = session().rx.data(url: server.url("/drip")).stream.record()
      var lines = [server.nextLine(), server.nextLine()]
      recorder.dispose()
      lines.append(server.nextLine())
      home.run()
      return (recorder.events.count, lines)
    }
    #expect(events == 0)
    #expect(lines == ["GET /drip", "begun", "left /drip"])
  }

  /// Covers requests that are sent and those that are not, at any stage. Foundation sometimes traps
  /// here if `Transfer` does not prevent that.
  @Test(arguments: [true, false])
  func nothingArrivesAfterDisposal(_ isAnswered: Bool) async {
    let events = await withServer { server, home in
      let session = session()
      var events = 0
      for _ in 1...20 {
        let url = isAnswered ? server.url("/status/200") : server.refusing
        let recorders = (1...20).map { _ in session.rx.data(url: url).stream.record() }
        for recorder in recorders.dropLast() { recorder.dispose() }
        home.run(until: { recorders.last?.termination != nil })
        home.run()
        // The output of the server is read, or it would block.
        _ = server.remainingLines()
        events += recorders.dropLast().map(\.events.count).reduce(0, +)
      }
      return events
    }
    #expect(events == 0)
  }

  @Test func disposingDropsPendingResult() async {
    let events = await withServer { server, _ in
      let home = WaitingContext()
      let recorder = Current.with(context: home) {
        session().rx.data(url: server.url("/status/200")).stream.record()
      }
      home.waitForJob()
      recorder.dispose()
      home.run()
      return recorder.events.count
    }
    #expect(events == 0)
  }

  @Test func handlersMayDispose() async {
    let log = await withServer { server, home in
      var log: [String] = []
      for path in ["/status/200", "/status/404"] {
        let place = SerialDisposable()
        place.current = session().rx.data(url: server.url(path)).stream.observe(
          next: { _ in
            log.append("next")
            place.dispose()
          },
          failed: { _ in
            log.append("failed")
            place.dispose()
          }, completed: { log.append("completed") })
        let count = log.count
        home.run(until: { log.count > count })
        home.run()
      }
      return log
    }
    #expect(log == ["next", "failed"])
  }

  @Test func transformMayDispose() async {
    let events = await withServer { server, home in
      let place = SerialDisposable()
      var events: [Int] = []
      var transformed = 0
      place.current = session().rx.data(url: server.url("/status/200")).map { data in
        transformed += 1
        place.dispose()
        return data.count
      }.observe(succeeded: { events.append($0) })
      home.run(until: { transformed == 1 })
      home.run()
      return events
    }
    #expect(events == [])
  }

  @Test func timeoutCancelsRequest() async {
    let (failure, lines) = await withServer { server, home in
      let scheduler = TestScheduler()
      let recorder = session().rx.data(url: server.url("/slow"))
        .timeout(
          after: .seconds(30), failingWith: .transport(URLError(.timedOut)), on: scheduler
        ).stream.record()
      let first = server.nextLine()
      scheduler.run()
      return ("\(recorder.events.count)", [first, server.nextLine()])
    }
    #expect(failure == "1")
    #expect(lines == ["GET /slow", "left /slow"])
  }

  @Test func cancellingTaskCancelsRequest() async throws {
    let server = await startServer()
    let task = Task { @MainActor in
      try await session().rx.data(url: server.url("/slow")).value()
    }
    #expect(await server.nextLine() == "GET /slow")
    task.cancel()
    #expect(await server.nextLine() == "left /slow")
    #expect(try await task.value == nil)
  }

  @Test func disposingReleasesCaptures() async {
    let releases = await withServer { server, home in
      let releases = EventLog<String>()
      let single = session().rx.data(url: server.url("/slow"))
      let probe = ReleaseProbe { releases.add(home.isCurrent ? "home" : "elsewhere") }
      let observation = single.observe(succeeded: { _ in probe.hold() })
      _ = consume probe
      _ = server.nextLine()
      observation.dispose()
      return releases.all
    }
    #expect(releases == ["home"])
  }

  // MARK: Completion

  @Test(arguments: ["/status/200", "/status/404", "/half"])
  func completionReleasesEverything(_ path: String) async {
    let (left, releases) = await withServer { server, home in
      let releases = EventLog<String>()
      let left = Resources.tracking { resources in
        var isOver = false
        let probe = ReleaseProbe { releases.add(home.isCurrent ? "home" : "elsewhere") }
        session().rx.data(url: server.url(path)).observe(
          succeeded: { [probe] _ in
            probe.hold()
            isOver = true
          },
          failed: { [probe] _ in
            probe.hold()
            isOver = true
          })
        _ = consume probe
        home.run(until: { isOver })
        return resources.names
      }
      return (left, releases.all)
    }
    #expect(left == [])
    #expect(releases == ["home"])
  }
}
