import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopTrayItemTests {
  /// Serves a tray that notes the items.
  private func withTray(_ bus: PrivateBus, _ log: EventLog<String>, _ body: () -> Void) {
    bus.withService(
      DesktopTrayItem.watcher,
      { server in
        var watcher = BusInterface(DesktopTrayItem.watcher)
        watcher.method("RegisterStatusNotifierItem", "service") {
          (name: String) throws(BusError) in log.add(name)
        }
        server.export(watcher, at: DesktopTrayItem.watcherPath)
      }, body)
  }

  @Test func itemsAreRegisteredWithEachTray() async {
    await withBus { bus in
      let (client, names, events) = (bus.connect(), EventLog<String>(), EventLog<String>())
      let observation = Confined(Disposable.none)
      let item = Confined(DesktopTrayItem("org.example.Player", title: "Player", icon: "sound"))
      bus.loop.wait {
        guard let client = client.value else { return }
        observation.value = item.value.show(on: client)
          .observe(next: { events.add("shown") }, failed: { events.add("\($0)") })
      }
      for round in 1...2 {
        withTray(bus, names) {
          #expect(events.wait(for: round).last == "shown")
          let name = bus.loop.wait { () -> String? in
            guard case .connected(let name) = client.value?.state.value else { return nil }
            return name
          }
          #expect(names.all.last == name)
        }
      }
      bus.loop.wait {
        observation.value.dispose()
        #expect(client.value?.objects[DesktopTrayItem.path.text] == nil)
        #expect(client.value?.objects[DesktopTrayItem.menuPath.text] == nil)
        client.value = nil
      }
    }
  }

  /// The tray shows the menu, and the user chooses from it.
  @Test func theMenuIsReadAndUsed() async {
    await withBus { bus in
      let (client, log) = (bus.connect(), EventLog<String>())
      let item = Confined(DesktopTrayItem("org.example.Player", title: "Player", icon: "sound"))
      let observation = Confined(Disposable.none)
      bus.loop.wait {
        guard let client = client.value else { return }
        var muted = TrayMenuItem("Muted") { log.add("muted") }
        muted.isChecked = true
        var closed = TrayMenuItem("Closed") { log.add("closed") }
        closed.isEnabled = false
        var more = TrayMenuItem("More")
        more.submenu = [TrayMenuItem("Inner") { log.add("inner") }]
        item.value.menu.value = [muted, .separator, closed, more]
        observation.value = item.value.show(on: client).observe(failed: { log.add("\($0)") })
        item.value.clicks.observeNext { log.add("clicked") }
        item.value.scrolls.observeNext { log.add("scrolled \($0)") }
        client.name("org.example.Player").observe(
          next: { log.add("\($0)") }, failed: { log.add("\($0)") })
      }
      log.wait(for: 1)
      let (tray, items) = (bus.connect(), EventLog<[MenuRow]>())
      func layout() -> [MenuRow] {
        let count = items.count
        bus.loop.wait {
          guard let tray = tray.value else { return }
          let menu = RemoteObject(
            TrayMenu.interface, at: DesktopTrayItem.menuPath, from: "org.example.Player", on: tray)
          menu.call(
            "GetLayout", with: Int32(0), Int32(-1), [String](), as: UInt32.self, MenuRow.self
          )
          .observe(
            succeeded: { items.add($1.all) }, failed: { log.add("layout failed \($0)") })
        }
        return items.wait(for: count + 1).last ?? []
      }
      func send(_ row: MenuRow?) {
        bus.loop.wait {
          guard let tray = tray.value, let row else { return }
          let menu = RemoteObject(
            TrayMenu.interface, at: DesktopTrayItem.menuPath, from: "org.example.Player", on: tray)
          menu.call("Event", with: row.number, "clicked", Variant(Int32(0)), UInt32(0))
            .observe(failed: { log.add("\($0)") })
        }
      }
      let rows = layout()
      #expect(
        rows.map(\.text) == [
          "children-display", "label=Muted toggle-state toggle-type", "type=separator",
          "enabled label=Closed", "children-display label=More", "label=Inner",
        ])
      for row in rows { send(row) }
      let found = rows.first { $0.text.contains("Muted") }
      #expect(log.wait(for: 3)[1...] == ["muted", "inner"])
      bus.loop.wait { item.value.menu.value = [TrayMenuItem("New") { log.add("new") }] }
      // The item does not exist any more.
      send(found)
      #expect(log.wait(for: 4).last?.contains("There is no item") == true)
      let new = layout()
      #expect(new.map(\.text) == ["children-display", "label=New"])
      send(new.last)
      #expect(log.wait(for: 5).last == "new")
      bus.loop.wait {
        guard let tray = tray.value else { return }
        let remote = RemoteObject(
          DesktopTrayItem.interface, at: DesktopTrayItem.path, from: "org.example.Player", on: tray)
        // The bus knows the rule before the calls arrive.
        remote.signals("NewStatus", as: String.self)
          .observe(next: { log.add($0) }, failed: { log.add("\($0)") })
        remote.call("Activate", with: Int32(0), Int32(0)).observe(failed: { log.add("\($0)") })
        remote.call("Scroll", with: Int32(-3), "vertical").observe(failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 7)[5...] == ["clicked", "scrolled -3"])
      bus.loop.wait { item.value.status.value = .needsAttention }
      #expect(log.wait(for: 8).last == "NeedsAttention")
      bus.loop.wait {
        observation.value.dispose()
        tray.value = nil
        client.value = nil
      }
    }
  }
}

/// An item of a menu, as a tray reads it.
private struct MenuRow: BusStructure {
  let number: Int32
  let values: [String: Variant]
  let children: [Variant]

  static var members: [BusType] {
    [.int32, .dictionary(key: .string, value: .variant), .array(.variant)]
  }

  /// The names of the properties, and the values of those that are texts.
  var text: String {
    values.sorted { $0.key < $1.key }.map { key, value in
      guard key == "label" || key == "type" else { return key }
      return "\(key)=\(value[String.self] ?? "")"
    }.joined(separator: " ")
  }

  /// This item, and all below it.
  var all: [MenuRow] { [self] + children.flatMap { $0[MenuRow.self]?.all ?? [] } }

  func writeMembers(to writer: BusWriter) throws(BusError) {
    try number.write(to: writer)
    try values.write(to: writer)
    try children.write(to: writer)
  }

  init(members reader: BusReader) throws(BusError) {
    number = try Int32(from: reader)
    values = try [String: Variant](from: reader)
    children = try [Variant](from: reader)
  }
}
