import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopInhibitorTests {
  private struct Stage {
    let bus: PrivateBus
    let client: Confined<BusConnection?>
    /// The calls of the services.
    let calls = EventLog<String>()
    /// The events of the program.
    let events = EventLog<String>()
    let observation = Confined(Disposable.none)

    func inhibit(_ activities: Set<DesktopInhibitor.Activity>) {
      bus.loop.wait {
        guard let client = client.value else { return }
        observation.value = DesktopInhibitor(of: "Player", session: client, system: client)
          .inhibit(activities, because: "A film is shown.")
          .observe(next: { events.add("\($0)") }, failed: { events.add("failed \($0)") })
      }
    }

    func dispose() { bus.loop.wait { observation.value.dispose() } }
  }

  private func withStage(_ body: @escaping @Sendable (Stage) -> Void) async {
    await withBus { bus in
      let stage = Stage(bus: bus, client: bus.connect())
      body(stage)
      bus.loop.wait { stage.client.value = nil }
    }
  }

  @Test func thePortalIsAskedFirst() async {
    await withStage { stage in
      @Sendable func portal(_ server: BusConnection) {
        var interface = BusInterface("org.freedesktop.portal.Inhibit")
        interface.method("Inhibit", "window", "flags", "options", returning: "handle") {
          (_: String, flags: UInt32, options: [String: Variant]) throws(BusError) in
          if flags == 1 { throw .accessDenied("no") }
          stage.calls.add("\(flags) \(options["reason"]?[String.self] ?? "")")
          return "/request" as ObjectPath
        }
        server.export(interface, at: DesktopPortal.path)
        var request = BusInterface(DesktopInhibitor.requestInterface)
        request.method("Close") { () throws(BusError) in stage.calls.add("close") }
        server.export(request, at: "/request")
      }
      stage.bus.withService(DesktopPortal.service, portal) {
        stage.inhibit([.sleep, .idle])
        #expect(stage.events.wait(for: 1) == ["portal"])
        #expect(stage.calls.all == ["12 A film is shown."])
        stage.dispose()
        #expect(stage.calls.wait(for: 2).last == "close")
        // The observation ends before the portal replies.
        stage.bus.loop.wait {
          guard let client = stage.client.value else { return }
          DesktopInhibitor(of: "Player", session: client, system: client)
            .inhibit([.idle], because: "").observe(failed: { _ in }).dispose()
        }
        #expect(stage.calls.wait(for: 4)[2...] == ["8 ", "close"])
        stage.inhibit([.logout])
        #expect(stage.events.wait(for: 2).last == "failed \(BusError.accessDenied("no"))")
      }
    }
  }

  @Test func otherServicesStandIn() async {
    await withStage { stage in
      @Sendable func saver(_ server: BusConnection) {
        var interface = BusInterface(DesktopInhibitor.screenSaver)
        interface.method("Inhibit", "program", "reason", returning: "cookie") {
          (program: String, reason: String) throws(BusError) in
          stage.calls.add("\(program) \(reason)")
          return UInt32(7)
        }
        interface.method("UnInhibit", "cookie") { (cookie: UInt32) throws(BusError) in
          stage.calls.add("end of \(cookie)")
        }
        server.export(interface, at: DesktopInhibitor.screenSaverPath)
      }
      stage.bus.withMock("logind", named: LoginManager.service) {
        stage.bus.withService(DesktopInhibitor.screenSaver, saver) {
          stage.inhibit([.sleep, .idle])
          #expect(Set(stage.events.wait(for: 2)) == ["logind", "screenSaver"])
          #expect(stage.calls.all == ["Player A film is shown."])
          stage.dispose()
          #expect(stage.calls.wait(for: 2).last == "end of 7")
        }
        stage.inhibit([.idle])
        #expect(stage.events.wait(for: 3).last == "logind")
        stage.dispose()
        stage.inhibit([.logout])
        #expect(stage.events.wait(for: 4).last?.hasPrefix("failed ") == true)
      }
    }
  }

  @Test func inhibitionReturnsWithItsService() async {
    await withStage { stage in
      @Sendable func saver(_ server: BusConnection, _ number: UInt32) {
        var interface = BusInterface(DesktopInhibitor.screenSaver)
        interface.method("Inhibit", "program", "reason", returning: "cookie") {
          (_: String, _: String) throws(BusError) in number
        }
        interface.method("UnInhibit", "cookie") { (cookie: UInt32) throws(BusError) in
          stage.calls.add("\(number) ends \(cookie)")
        }
        server.export(interface, at: DesktopInhibitor.screenSaverPath)
      }
      stage.bus.withService(DesktopInhibitor.screenSaver, { saver($0, 1) }) {
        stage.inhibit([.idle])
        #expect(stage.events.wait(for: 1) == ["screenSaver"])
      }
      stage.bus.withService(DesktopInhibitor.screenSaver, { saver($0, 2) }) {
        #expect(stage.events.wait(for: 2) == ["screenSaver", "screenSaver"])
        stage.dispose()
        #expect(stage.calls.wait(for: 1) == ["2 ends 2"])
        stage.inhibit([.idle])
        stage.events.wait(for: 3)
      }
      // Nothing is given back to a service that has not given it.
      let owners = EventLog<ServiceState>()
      stage.bus.loop.wait {
        _ = stage.client.value?.service(DesktopInhibitor.screenSaver).observeNext {
          owners.add($0)
        }
      }
      owners.wait { $0.last == .absent }
      stage.dispose()
      #expect(stage.calls.all == ["2 ends 2"])
    }
  }

  /// The first service that ends without an answer is a failure. Later, the next one is asked.
  @Test func aServiceEndsWhileItIsAsked() async {
    await withStage { stage in
      @Sendable func saver(_ server: BusConnection, _ answer: UInt32?) {
        var interface = BusInterface(DesktopInhibitor.screenSaver)
        interface.method(
          "Inhibit", "program", "reason", returning: "cookie",
          later: { (_: String, _: String) throws(BusError) -> Single<UInt32, BusError> in
            stage.calls.add("inhibit")
            return answer.map { .just($0) } ?? Single { _ in .none }
          })
        server.export(interface, at: DesktopInhibitor.screenSaverPath)
      }
      stage.bus.withService(DesktopInhibitor.screenSaver, { saver($0, nil) }) {
        stage.inhibit([.idle])
        stage.calls.wait(for: 1)
      }
      #expect(stage.events.wait(for: 1).last?.hasPrefix("failed ") == true)
      stage.bus.withService(DesktopInhibitor.screenSaver, { saver($0, 1) }) {
        stage.inhibit([.idle])
        #expect(stage.events.wait(for: 2).last == "screenSaver")
      }
      stage.bus.withService(DesktopInhibitor.screenSaver, { saver($0, nil) }) {
        stage.calls.wait(for: 3)
      }
      stage.bus.withService(DesktopInhibitor.screenSaver, { saver($0, 2) }) {
        #expect(stage.events.wait(for: 3).last == "screenSaver")
        #expect(stage.calls.count == 4)
      }
      stage.dispose()
    }
  }
}
