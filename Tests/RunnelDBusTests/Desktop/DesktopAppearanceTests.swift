import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopAppearanceTests {
  /// Serves settings until the body ends. Returns what `changed` sends as changes.
  private func withPortal(
    _ bus: PrivateBus, _ settings: [String: Variant],
    _ body: (Confined<PushStream<(String, String, Variant)>>) -> Void
  ) {
    let server = bus.connect()
    let changes = Confined(PushStream<(String, String, Variant)>())
    let names = EventLog<NameState>()
    bus.loop.wait {
      guard let server = server.value else { return }
      var portal = BusInterface(DesktopAppearance.interface)
      portal.method("ReadAll", "namespaces", returning: "value") {
        (namespaces: [String]) throws(BusError) in
        namespaces == [DesktopAppearance.namespace]
          ? [DesktopAppearance.namespace: settings, "org.other": [:]] : [:]
      }
      portal.signal("SettingChanged", values: ["namespace", "key", "value"], changes.value.stream)
      server.export(portal, at: DesktopAppearance.path)
      _ = server.name(DesktopAppearance.service).observe(next: { names.add($0) })
    }
    names.wait(for: 1)
    body(changes)
    bus.loop.wait {
      server.value?.close()
      server.value = nil
    }
  }

  private func accent(_ red: Double, _ green: Double, _ blue: Double) -> Variant {
    Variant(.structure([.double(red), .double(green), .double(blue)]))
  }

  @Test func settingsFollowThePortal() async {
    await withBus { bus in
      let client = bus.connect()
      let log = EventLog<String>()
      let appearance = Confined<DesktopAppearance?>(nil)
      bus.loop.wait {
        guard let client = client.value else { return }
        let desktop = DesktopAppearance(on: client)
        appearance.value = desktop
        desktop.colorScheme.observeNext { log.add("scheme \($0.map { "\($0)" } ?? "nil")") }
        desktop.contrast.observeNext { log.add("contrast \($0.map { "\($0)" } ?? "nil")") }
        desktop.accentColor.observeNext { log.add("accent \($0.map { "\($0.green)" } ?? "nil")") }
      }
      #expect(log.all == ["scheme nil", "contrast nil", "accent nil"])
      let dark: [String: Variant] = [
        "color-scheme": Variant(UInt32(1)), "contrast": Variant(UInt32(99)),
        "accent-color": accent(0, 0.5, 1),
      ]
      withPortal(bus, dark) { changes in
        let values = log.wait(for: 6)[3...]
        #expect(Set(values) == ["scheme dark", "contrast normal", "accent 0.5"])
        let name = DesktopAppearance.namespace
        bus.loop.wait {
          changes.value.next(("org.other", "color-scheme", Variant(UInt32(0))))
          changes.value.next((name, "color-scheme", Variant(UInt32(2))))
          changes.value.next((name, "accent-color", accent(2, 0, 0)))
          changes.value.next((name, "contrast", Variant("wrong type")))
        }
        #expect(log.wait(for: 9)[6...] == ["scheme light", "accent nil", "contrast nil"])
      }
      #expect(log.wait(for: 10).last == "scheme nil")
      withPortal(bus, ["color-scheme": Variant(UInt32(1))]) { _ in
        #expect(log.wait(for: 11).last == "scheme dark")
      }
      bus.loop.wait {
        appearance.value = nil
        client.value = nil
      }
    }
  }

  @Test func propertiesKeepTheSettings() async {
    await withBus { bus in
      let client = bus.connect()
      let log = EventLog<String>()
      bus.loop.wait {
        guard let client = client.value else { return }
        DesktopAppearance(on: client).colorScheme.observeNext {
          log.add($0 == .dark ? "dark" : "other")
        }
      }
      withPortal(bus, ["color-scheme": Variant(UInt32(1))]) { _ in
        #expect(log.wait(for: 2) == ["other", "dark"])
      }
      log.wait(for: 3)
      bus.loop.wait { client.value = nil }
    }
  }
}
