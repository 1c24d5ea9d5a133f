import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct RemotePropertiesTests {
  @Test func propertiesFollowTheService() async {
    await withBus { bus in
      let client = bus.connect()
      let log = EventLog<String>()
      let kept = Confined<RemoteProperties?>(nil)
      bus.loop.wait {
        guard let connection = client.value else { return }
        let player = RemoteProperties(
          of: "org.example.Player", at: "/one", from: "org.example.Player", on: connection)
        kept.value = player
        player.property("Volume", as: Double.self).observeNext { log.add("\($0 ?? -1)") }
        player.property("Title", as: String.self).observeNext { log.add($0 ?? "none") }
        player.property("Length", as: String.self).observeNext { _ in log.add("wrong type") }
      }
      #expect(log.all == ["-1.0", "none", "wrong type"])
      for round in 0..<2 {
        let count = log.count
        bus.withPlayer { player, _ in
          let values = log.wait(for: count + 3)[count...]
          #expect(Set(values) == ["0.5", "Emma", "wrong type"], "round \(round)")
          // With the value, and without it.
          bus.loop.wait { player.value?.volume.value = 0.75 }
          #expect(log.wait(for: count + 4).last == "0.75")
          bus.loop.wait { player.value?.title.value = "Dune" }
          #expect(log.wait(for: count + 5).last == "Dune")
          bus.loop.wait {
            _ = kept.value?.set("Volume", to: 0.25).observe(failed: { log.add("\($0)") })
          }
          #expect(log.wait(for: count + 6).last == "0.25")
          let late = EventLog<String?>()
          bus.loop.wait {
            _ = kept.value?.property("Version", as: String.self).observeNext { late.add($0) }
          }
          if round == 0 { #expect(late.wait(for: 2) == [nil, "1.0"]) }
        }
        let values = log.wait(for: count + 9)[(count + 6)...]
        #expect(Set(values) == ["-1.0", "none", "wrong type"], "round \(round)")
      }
      #expect(bus.loop.wait { kept.value?.state.value } == .absent)
      bus.loop.wait {
        kept.value = nil
        client.value?.close()
        client.value = nil
      }
    }
  }

  @Test func absentInterfaceIsAState() async {
    await withBus { bus in
      bus.withPlayer { _, _ in
        let client = bus.connect()
        let states = EventLog<RemoteProperties.State>()
        let kept = Confined<RemoteProperties?>(nil)
        bus.loop.wait {
          guard let connection = client.value else { return }
          let properties = RemoteProperties(
            of: "org.example.None", at: "/one", from: "org.example.Player", on: connection)
          kept.value = properties
          properties.state.stream.observeNext { states.add($0) }
        }
        let all = states.wait { if case .failed = $0.last { true } else { false } }
        #expect(all.first == .absent)
        if case .failed(.unknownInterface) = all.last {} else { Issue.record("\(all)") }
        bus.loop.wait {
          kept.value = nil
          client.value = nil
        }
      }
    }
  }

  /// The service announces a property twice without its value while it is being read.
  @Test func announcementDuringReadingIsNotLost() async {
    await withBus { bus in
      bus.withPlayer { player, _ in
        let client = bus.connect()
        let log = EventLog<String>()
        let kept = Confined<RemoteProperties?>(nil)
        bus.loop.wait {
          guard let connection = client.value else { return }
          let properties = RemoteProperties(
            of: "org.example.Player", at: "/one", from: "org.example.Player", on: connection)
          kept.value = properties
          properties.property("Title", as: String.self).observeNext { log.add($0 ?? "none") }
        }
        log.wait { $0.last == "Emma" }
        for number in 1...200 {
          bus.loop.wait { player.value?.title.value = "\(number)" }
        }
        let all = log.wait { $0.last == "200" }
        #expect(all.first == "none" && all.count <= 202, "\(all)")
        bus.loop.wait {
          kept.value = nil
          client.value = nil
        }
      }
    }
  }
}
