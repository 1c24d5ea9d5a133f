import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopNetworkTests {
  /// Logs the status of a network until the body ends.
  private func withNetwork(_ bus: PrivateBus, _ log: EventLog<String>, _ body: () -> Void) {
    let client = bus.connect()
    let observation = Confined(Disposable.none)
    bus.loop.wait {
      guard let client = client.value else { return }
      // Nothing but the observation retains the object.
      observation.value = DesktopNetwork(session: client, system: client).status
        .distinctUntilChanged()
        .observeNext { status in
          log.add(status.map { "\($0.connectivity) \($0.isMetered)" } ?? "nil")
        }
    }
    body()
    bus.loop.wait {
      observation.value.dispose()
      client.value = nil
    }
  }

  @Test func theStatusFollowsNetworkManager() async {
    await withBus { bus in
      let log = EventLog<String>()
      let (name, path) = (DesktopNetwork.manager, DesktopNetwork.managerPath)
      withNetwork(bus, log) {
        bus.withMock("networkmanager", named: name) {
          #expect(log.wait(for: 2) == ["nil", "full false"])
          // The mock has no such property.
          bus.tellMock("AddProperty", at: path, of: name) { writer throws(BusError) in
            try DesktopNetwork.manager.write(to: writer)
            try "Metered".write(to: writer)
            try Variant(UInt32(0)).write(to: writer)
          }
          let changes: [([String: Variant], String)] = [
            (["Connectivity": Variant(UInt32(2))], "portal false"),
            (["Connectivity": Variant(UInt32(3)), "Metered": Variant(UInt32(3))], "limited true"),
            (["Connectivity": Variant(UInt32(0)), "Metered": Variant(UInt32(4))], "full false"),
            (["State": Variant(UInt32(60))], "limited false"),
            (["State": Variant(UInt32(50)), "Metered": Variant(UInt32(1))], "local true"),
            (["State": Variant(UInt32(20))], "none true"),
          ]
          for (index, (values, text)) in changes.enumerated() {
            bus.updateMock(name, at: path, of: name, values)
            #expect(log.wait(for: index + 3).last == text)
          }
        }
        #expect(log.wait(for: 9).last == "nil")
      }
    }
  }

  @Test func thePortalGoesFirst() async {
    await withBus { bus in
      let log = EventLog<String>()
      let status = Confined<[String: Variant]>([
        "available": Variant(true), "metered": Variant(true), "connectivity": Variant(UInt32(3)),
      ])
      let changed = Confined(PushStream<Void>())
      @Sendable func portal(_ server: BusConnection) {
        var interface = BusInterface(DesktopNetwork.portalInterface)
        interface.method("GetStatus", returning: "status") { () throws(BusError) in status.value }
        interface.signal("changed", changed.value.stream)
        server.export(interface, at: DesktopPortal.path)
      }
      let name = DesktopNetwork.manager
      withNetwork(bus, log) {
        bus.withMock("networkmanager", named: name) {
          #expect(log.wait(for: 2).last == "full false")
          bus.withService(DesktopPortal.service, portal) {
            #expect(log.wait(for: 3).last == "portal true")
            bus.loop.wait {
              status.value["available"] = Variant(false)
              changed.value.next(())
            }
            #expect(log.wait(for: 4).last == "none true")
          }
          #expect(log.wait(for: 5).last == "full false")
          // A portal without the network leaves it to NetworkManager.
          bus.withService(DesktopPortal.service, { _ in }) {
            bus.updateMock(
              name, at: DesktopNetwork.managerPath, of: name,
              ["Connectivity": Variant(UInt32(2))])
            #expect(log.wait(for: 6).last == "portal false")
          }
        }
      }
    }
  }
}
