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
      let state = bus.loop.wait { kept.value?.state.value }
      #expect(state == .absent)
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
        // Not inside of `#expect`: in a closure, the compiler can give the closure of the second wait the
        // name and so the body of the first.
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

  // MARK: - A service without a library

  /// Follows `Volume` and `Title` of a peer that sends messages when the properties are being read. Waits
  /// for a number of volumes, or until the properties are absent.
  private func follow(
    _ messages: [UInt8], until count: Int?, on loop: EventLoop,
    _ observe: @escaping @Sendable (BusConnection, UInt32?) -> Void = { _, _ in }
  ) -> (volumes: [UInt32?], values: [UInt32?], state: RemoteProperties.State?) {
    let volumes = EventLog<UInt32?>()
    let states = EventLog<RemoteProperties.State>()
    let kept = Confined<[ReadOnlyProperty<UInt32?>]>([])
    let properties = Confined<RemoteProperties?>(nil)
    let peer = RawPeer(on: loop) { connection in
      let remote = RemoteProperties(of: "org.example.Raw", at: "/one", from: nil, on: connection)
      properties.value = remote
      remote.state.stream.observeNext { states.add($0) }
      kept.value = ["Volume", "Title"].map { remote.property($0) }
      for property in kept.value {
        property.observeNext { [weak connection] value in
          if let connection { observe(connection, value) }
        }
      }
      kept.value[0].observeNext { volumes.add($0) }
    }
    peer.authenticate()
    states.wait { $0.last == .loading }
    peer.send(messages)
    if let count { volumes.wait(for: count) } else { states.wait { $0.last == .absent } }
    let (values, state) = loop.wait {
      let result = (kept.value.map(\.value), properties.value?.state.value)
      kept.value = []
      properties.value = nil
      return result
    }
    let result = (volumes.all, values, state)
    peer.end()
    return result
  }

  private func change(_ values: [(name: String, value: UInt32)], _ invalid: String...) -> [UInt8] {
    var body = RawBody()
    body.text("org.example.Raw")
    body.properties(values)
    body.array(alignment: 4) { body in for name in invalid { body.text(name) } }
    let fields: [RawMessage.Field] = [
      .path("/one"), .interface("org.freedesktop.DBus.Properties"), .member("PropertiesChanged"),
      .signature("sa{sv}as"),
    ]
    return RawMessage.message(type: 4, fields, body: body.bytes)
  }

  private func reply(to serial: UInt32, _ values: [(name: String, value: UInt32)]) -> [UInt8] {
    var body = RawBody()
    body.properties(values)
    return RawMessage.message(
      type: 2, [.replySerial(serial), .signature("a{sv}")], body: body.bytes)
  }

  private func reply(to serial: UInt32, _ value: UInt32) -> [UInt8] {
    var body = RawBody()
    body.variant(value)
    return RawMessage.message(type: 2, [.replySerial(serial), .signature("v")], body: body.bytes)
  }

  /// The service has made its reply before the change, and sends it after the signal.
  @Test func changeDuringLoadingIsNotLost() async {
    let messages =
      change([("Volume", 2)]) + reply(to: 1, [("Volume", 1)]) + reply(to: 2, UInt32(2))
    await withLoop { loop in
      let volumes = follow(messages, until: 3, on: loop).volumes
      #expect(volumes == [nil, 1, 2])
    }
  }

  @Test func olderReplyDoesNotReplaceAnAnnouncedValue() async {
    let messages =
      reply(to: 1, [("Volume", 1)]) + change([], "Volume") + change([("Volume", 3)])
      + reply(to: 2, UInt32(2)) + change([("Volume", 4)])
    await withLoop { loop in
      let volumes = follow(messages, until: 4, on: loop).volumes
      #expect(volumes == [nil, 1, 3, 4])
    }
  }

  @Test func signalAfterAFailureLoadsAgain() async {
    let messages =
      RawMessage.error(to: 1, "org.example.Busy") + change([("Volume", 2)])
      + reply(to: 2, [("Volume", 2)])
    await withLoop { loop in
      let (volumes, _, state) = follow(messages, until: 2, on: loop)
      #expect(volumes == [nil, 2] && state == .current)
    }
  }

  @Test func closingInsideAnObserverForgetsAllValues() async {
    let messages = reply(to: 1, [("Volume", 1), ("Title", 2)])
    await withLoop { loop in
      let (_, values, state) = follow(messages, until: nil, on: loop) { connection, value in
        if value != nil { connection.close() }
      }
      #expect(values == [nil, nil] && state == .absent)
    }
  }
}
