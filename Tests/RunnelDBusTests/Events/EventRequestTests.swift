import RunnelBus
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

private struct Price: TopicRequest {
  typealias Reply = Int
  static let topic = "shop.price-1"
  let title: String
}

@Suite struct EventRequestTests {
  private struct Party {
    let events: EventBus
    let link: BusLink
    let transport: DBusTransport
  }

  private func party(_ fixture: DBusFixture) -> Party? {
    let events = EventBus(coder: .json)
    let transport = fixture.makeTransport()
    do {
      let link = try events.join(
        transport, exporting: [.requests("#")], importing: [.requests("#")])
      return Party(events: events, link: link, transport: transport)
    } catch {
      Issue.record(error)
      return nil
    }
  }

  /// The program that has begun first answers, and the next one when it leaves.
  @Test func theNextProgramAnswersWhenOneLeaves() async {
    await withBus { bus in
      let log = EventLog<String>()
      let parties = Confined<[Party]>([])
      bus.loop.wait {
        let fixture = DBusFixture(bus)
        parties.value = (0..<3).compactMap { _ in party(fixture) }
        for party in parties.value {
          party.transport.peers.observeNext { if $0.count == 2 { log.add("complete") } }
        }
      }
      log.wait(for: 3)
      let names = EventLog<String>()
      for number in 1...2 {
        bus.loop.wait {
          let party = parties.value[number]
          party.events.answer(Price.self) { $0.title.count * 10 + number }
          // The bus answers in order, so it has the name.
          party.transport.bus.call(.ofBus("GetId")).observe(succeeded: { _ in names.add("asked") })
        }
        names.wait(for: number)
      }
      func ask() {
        bus.loop.wait {
          _ = parties.value[0].events.ask(Price(title: "Emma")).observe(
            succeeded: { log.add("\($0)") }, failed: { log.add("\($0)") })
        }
      }
      ask()
      #expect(log.wait(for: 4).last == "41")
      bus.loop.wait {
        parties.value[1].link.dispose()
        parties.value[0].transport.peers.observeNext { if $0.count == 1 { log.add("left") } }
      }
      #expect(log.wait(for: 5).last == "left")
      ask()
      #expect(log.wait(for: 6).last == "42")
      bus.loop.wait {
        for party in parties.value { party.link.dispose() }
        parties.value = []
      }
    }
  }

  @Test func longTopicsAreRefused() async {
    await withBus { bus in
      let log = EventLog<String>()
      bus.loop.wait {
        let transport = DBusFixture(bus).makeTransport()
        let topic = String(repeating: "ä", count: 40)
        transport.ask([], on: topic).observe(failed: { failure in
          if case .failed(let error as TransportError) = failure { log.add("\(error)") }
        })
        #expect(transport.answer(on: topic) { _ in .just([]) }.isDisposed)
      }
      #expect(log.wait(for: 1)[0].contains("at most 255 bytes"))
    }
  }
}
