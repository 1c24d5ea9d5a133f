import RunnelCollections
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct ManagedObjectsTests {
  /// Runs a body with a served dictionary, and with a dictionary of another connection that follows it.
  private func withDevices(
    allowing policy: (@Sendable (BusCall) -> Bool)? = nil,
    _ body:
      @escaping @Sendable (
        PrivateBus, Confined<CollectionProperty<[ObjectPath: Device]>?>, Confined<RemoteObjects?>,
        Confined<Disposable>
      ) -> Void
  ) async {
    await withBus { bus in
      let (server, client) = (bus.connect(), bus.connect())
      let names = EventLog<NameState>()
      let devices = Confined<CollectionProperty<[ObjectPath: Device]>?>(nil)
      let objects = Confined<RemoteObjects?>(nil)
      let export = Confined(Disposable.none)
      let naming = Confined(Disposable.none)
      bus.loop.wait {
        guard let server = server.value, let client = client.value else { return }
        let served = CollectionProperty(["/devices/a" as ObjectPath: Device("Lamp")])
        devices.value = served
        export.value = server.export(served, at: "/devices", allowing: policy) { [$0.interface] }
        naming.value = server.name("org.example.Peer").observe(next: { names.add($0) })
        objects.value = client.objects(
          of: "org.example.Device", at: "/devices", from: "org.example.Peer")
      }
      names.wait(for: 1)
      body(bus, devices, objects, export)
      bus.loop.wait {
        export.value.dispose()
        naming.value.dispose()
        objects.value = nil
        devices.value = nil
      }
    }
  }

  /// The names of the devices that the dictionary has, after all that was sent before.
  private func names(
    _ bus: PrivateBus, _ objects: Confined<RemoteObjects?>, until holds: ([String: String]) -> Bool
  ) -> [String: String] {
    let log = EventLog<[String: String]>()
    let observation = Confined(Disposable.none)
    bus.loop.wait {
      observation.value =
        objects.value?.values.observe { event in
          log.add(
            Dictionary(
              uniqueKeysWithValues: event.collection.map {
                ($0.key.text, $0.value["Name"]?[String.self] ?? "none")
              }))
        } ?? .none
    }
    let all = log.wait { holds($0.last ?? [:]) }
    bus.loop.wait { observation.value.dispose() }
    return all.last ?? [:]
  }

  @Test func insertsUpdatesAndDeletesAreAnnounced() async {
    await withDevices { bus, devices, objects, _ in
      #expect(names(bus, objects) { !$0.isEmpty } == ["/devices/a": "Lamp"])
      bus.loop.wait { devices.value?["/devices/b"] = Device("Fan") }
      #expect(
        names(bus, objects) { $0.count == 2 } == ["/devices/a": "Lamp", "/devices/b": "Fan"])
      bus.loop.wait { devices.value?["/devices/b"]?.name.value = "Heater" }
      #expect(names(bus, objects) { $0["/devices/b"] == "Heater" }.count == 2)
      bus.loop.wait { devices.value?["/devices/a"] = Device("Clock") }
      #expect(names(bus, objects) { $0["/devices/a"] == "Clock" }.count == 2)
      bus.loop.wait { devices.value?.replace(with: ["/devices/c": Device("Radio")]) }
      // Between the signals, another device can be the only one.
      #expect(names(bus, objects) { $0["/devices/c"] != nil }.count == 1)
      bus.loop.wait { devices.value?.removeAll() }
      #expect(names(bus, objects) { $0.isEmpty } == [:])
    }
  }

  @Test func randomChangesAreFollowed() async {
    let seeds = seeds(3 as UInt64)
    await withDevices { bus, devices, objects, _ in
      for seed in seeds {
        let random = Confined(SeededGenerator(seed: seed))
        for _ in 0..<20 {
          let expected = bus.loop.wait { () -> [String: String] in
            guard let devices = devices.value else { return [:] }
            for _ in 0..<Int.random(in: 1...8, using: &random.value) {
              let paths: [ObjectPath] = ["/devices/a", "/devices/b", "/devices/c", "/devices/d/e"]
              let path = paths[Int.random(in: 0..<4, using: &random.value)]
              let name = "\(Int.random(in: 0..<3, using: &random.value))"
              switch Int.random(in: 0..<4, using: &random.value) {
              case 0: devices[path] = nil
              case 1: devices[path]?.name.value = name
              default: devices[path] = Device(name)
              }
            }
            return Dictionary(
              uniqueKeysWithValues: devices.value.map { ($0.key.text, $0.value.name.value) })
          }
          #expect(names(bus, objects) { $0 == expected } == expected, "seed \(seed)")
        }
      }
    }
  }

  @Test func endedManagersServeNothing() async {
    await withDevices { bus, devices, objects, export in
      _ = names(bus, objects) { !$0.isEmpty }
      bus.loop.wait {
        export.value.dispose()
        devices.value?["/devices/b"] = Device("Fan")
      }
      let client = bus.connect()
      for path: ObjectPath in ["/devices", "/devices/a", "/devices/b"] {
        let method = BusMethod(
          "GetAll", of: "org.freedesktop.DBus.Properties", at: path, from: "org.example.Peer")
        let result = bus.loop.result(of: method, on: client) { writer throws(BusError) in
          try "org.example.Device".write(to: writer)
        }
        if case .error(.unknownObject) = result {} else { Issue.record("\(path): \(result)") }
      }
    }
  }

  @Test func policiesHideProperties() async {
    await withDevices(allowing: { $0.access == .call || $0.path != "/devices/a" }) {
      bus, devices, _, _ in
      bus.loop.wait { devices.value?["/devices/b"] = Device("Fan") }
      let client = bus.connect()
      let method = BusMethod(
        "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: "/devices",
        from: "org.example.Peer")
      let log = EventLog<[String: [String]]>()
      bus.loop.wait {
        _ = client.value?.call(method).observe(succeeded: { body in
          let all = try? body.value(as: [ObjectPath: [String: [String: Variant]]].self)
          log.add(
            Dictionary(
              uniqueKeysWithValues: (all ?? [:]).map {
                (
                  $0.key.text,
                  Array($0.value["org.example.Device", default: ["none": Variant(true)]].keys)
                )
              }))
        })
      }
      #expect(log.wait(for: 1) == [["/devices/a": [], "/devices/b": ["Name"]]])
    }
  }
}
