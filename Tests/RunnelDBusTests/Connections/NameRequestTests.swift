import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct NameRequestTests {
  private struct Request: Sendable {
    let connection: Confined<BusConnection?>
    let observation: Confined<Disposable?>
    let log: EventLog<NameState>
  }

  private func request(_ bus: PrivateBus, _ options: NameOptions = []) -> Request {
    let connection = bus.connect()
    let log = EventLog<NameState>()
    let observation = bus.loop.wait {
      Confined(
        connection.value?.name("org.example.Wanted", options).observe(
          next: { log.add($0) }, failed: { Issue.record($0) }))
    }
    return Request(connection: connection, observation: observation, log: log)
  }

  private func end(_ requests: Request..., on bus: PrivateBus) {
    for request in requests {
      bus.loop.wait {
        request.observation.value?.dispose()
        request.connection.value?.close()
        request.connection.value = nil
      }
    }
  }

  @Test func waitingRequestGetsReleasedName() async {
    await withBus { bus in
      let first = request(bus)
      first.log.wait(for: 1)
      let second = request(bus)
      second.log.wait(for: 1)
      let third = request(bus, .doNotQueue)
      third.log.wait(for: 1)
      bus.loop.wait { first.observation.value?.dispose() }
      second.log.wait(for: 2)
      #expect(first.log.all == [.owned])
      #expect(second.log.all == [.queued, .owned])
      #expect(third.log.all == [.taken])
      end(first, second, third, on: bus)
    }
  }

  @Test func lossOfTheConnectionReleasesTheName() async {
    await withBus { bus in
      let first = request(bus)
      first.log.wait(for: 1)
      let second = request(bus)
      second.log.wait(for: 1)
      bus.loop.wait { first.connection.value?.close() }
      #expect(second.log.wait(for: 2) == [.queued, .owned])
      end(first, second, on: bus)
    }
  }

  @Test func ownerIsReplacedIfItAllows() async {
    await withBus { bus in
      let first = request(bus, .allowReplacement)
      first.log.wait(for: 1)
      let second = request(bus, .replace)
      second.log.wait(for: 1)
      first.log.wait(for: 2)
      bus.loop.wait { second.observation.value?.dispose() }
      first.log.wait(for: 3)
      #expect(first.log.all == [.owned, .queued, .owned])
      #expect(second.log.all == [.owned])
      end(first, second, on: bus)
    }
  }

  @Test(arguments: ["", "org", ":1.5", "org.example.é", "org..a"])
  func wrongNamesAreRefused(_ name: String) async {
    await withLoop { loop in
      let log = EventLog<BusError>()
      loop.execute {
        let connection = BusConnection(.bus("unix:path=/nonexistent/bus"), on: loop)
        connection.name(name).observe(failed: { log.add($0) })
      }
      #expect(log.wait(for: 1) == [.invalidName(name)])
    }
  }
}
