import Foundation
import FoundationNetworking
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct RequestDisposalTests {
  @Test func cancelsTheRequest() async {
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

  @Test func cancelsWhileTheBodyArrives() async {
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

  /// Whether the request gets out or not, and however far it gets. Foundation traps here at times if it
  /// is not prevented from that: `Transfer` tells how.
  @Test(arguments: [true, false])
  func nothingArrivesAfterIt(_ isAnswered: Bool) async {
    let events = await withServer { server, home in
      let session = session()
      var events = 0
      for _ in 1...20 {
        let url = isAnswered ? server.url("/status/200") : server.refusing
        let recorders = (1...20).map { _ in session.rx.data(url: url).stream.record() }
        for recorder in recorders.dropLast() { recorder.dispose() }
        home.run(until: { recorders.last?.termination != nil })
        home.run()
        // The server waits for somebody who reads.
        _ = server.remainingLines()
        events += recorders.dropLast().map(\.events.count).reduce(0, +)
      }
      return events
    }
    #expect(events == 0)
  }

  @Test func aResultThatIsOnItsWayIsDropped() async {
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

  @Test func isPossibleInTheHandlers() async {
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

  @Test func isPossibleInATransform() async {
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

  @Test func comesWithTheTimeOfAnOperator() async {
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

  @Test func comesWithTheCancellationOfATask() async throws {
    let server = await startServer()
    let task = Task { @MainActor in
      try await session().rx.data(url: server.url("/slow")).value()
    }
    #expect(await server.nextLine() == "GET /slow")
    task.cancel()
    #expect(await server.nextLine() == "left /slow")
    #expect(try await task.value == nil)
  }

  @Test func releasesWhatItCaptured() async {
    let deaths = await withServer { server, home in
      let deaths = Log<String>()
      let single = session().rx.data(url: server.url("/slow"))
      let captive = Captive { deaths.add(home.isCurrent ? "home" : "elsewhere") }
      let observation = single.observe(succeeded: { _ in captive.hold() })
      _ = consume captive
      _ = server.nextLine()
      observation.dispose()
      return deaths.all
    }
    #expect(deaths == ["home"])
  }

  // MARK: The end

  @Test(arguments: ["/status/200", "/status/404", "/half"])
  func theEndReleasesEverything(_ path: String) async {
    let (left, deaths) = await withServer { server, home in
      let deaths = Log<String>()
      let left = Resources.tracking { resources in
        var isOver = false
        let captive = Captive { deaths.add(home.isCurrent ? "home" : "elsewhere") }
        session().rx.data(url: server.url(path)).observe(
          succeeded: { [captive] _ in
            captive.hold()
            isOver = true
          },
          failed: { [captive] _ in
            captive.hold()
            isOver = true
          })
        _ = consume captive
        home.run(until: { isOver })
        return resources.names
      }
      return (left, deaths.all)
    }
    #expect(left == [])
    #expect(deaths == ["home"])
  }
}
