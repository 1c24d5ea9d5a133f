import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct SingleInstanceTests {
  /// A start of the program, with a connection of its own.
  private struct Start {
    let connection: Confined<BusConnection?>
    let observation: Confined<Disposable>
  }

  private func start(
    _ bus: PrivateBus, _ request: SingleInstance.Request, _ name: String, _ log: EventLog<String>
  ) -> Start {
    let start = Start(connection: bus.connect(), observation: Confined(.none))
    bus.loop.wait {
      guard let connection = start.connection.value else { return }
      start.observation.value = SingleInstance("org.example.Notes-1", on: connection)
        .start(with: request) { log.add("\(name) gets \($0)") }
        .observe(
          next: { log.add("\(name) \($0)") }, failed: { log.add("\(name) failed \($0)") },
          completed: { log.add("\(name) completed") })
    }
    return start
  }

  @Test func laterStartsHandTheirRequestsOver() async {
    await withBus { bus in
      let log = EventLog<String>()
      let first = start(bus, .activate, "one", log)
      #expect(log.wait(for: 1) == ["one first"])
      let requests: [SingleInstance.Request] = [
        .activate, .open(["file:///a"]), .action("search", [Variant("Emma")]),
        .arguments(["open", "Plans"], folder: "/tmp"),
      ]
      for (index, request) in requests.enumerated() {
        _ = start(bus, request, "other", log)
        let new = log.wait(for: 4 + 3 * index).suffix(3)
        #expect(new == ["one gets \(request)", "other handedOver", "other completed"])
      }
      bus.loop.wait { first.observation.value.dispose() }
      _ = start(bus, .activate, "two", log)
      #expect(log.wait(for: 14).last == "two first")
    }
  }

  @Test func oneOfManyStartsIsTheFirst() async {
    await withBus { bus in
      let log = EventLog<String>()
      for number in 0..<10 { _ = start(bus, .open(["\(number)"]), "\(number)", log) }
      log.wait { $0.filter { $0.hasSuffix("completed") }.count == 9 }
      #expect(log.all.filter { $0.hasSuffix("first") }.count == 1)
      #expect(log.all.filter { $0.contains("gets") }.count == 9)
    }
  }

  /// The first process ends before it answers.
  @Test func aProcessThatEndsIsReplaced() async {
    await withBus { bus in
      let log = EventLog<String>()
      let silent = bus.connect()
      bus.loop.wait {
        guard let server = silent.value else { return }
        var interface = BusInterface(SingleInstance.interface)
        interface.method(
          "Activate", "platform_data",
          later: { (_: [String: Variant]) throws(BusError) in
            Completable<BusError> { _ in
              log.add("asked")
              return .none
            }
          })
        server.export(interface, at: "/org/example/Notes_1")
        _ = server.name("org.example.Notes-1").observe(next: { log.add("silent \($0)") })
      }
      log.wait(for: 1)
      _ = start(bus, .activate, "two", log)
      log.wait { $0.contains("asked") }
      bus.loop.wait { silent.value?.close() }
      #expect(log.wait(for: 3).last == "two first")
    }
  }

  @Test func withoutABusItFails() async {
    await withBus { bus in
      let log = EventLog<String>()
      bus.loop.wait {
        let connection = BusConnection(
          .bus("unix:path=\(bus.folder["nothing"])"), on: bus.loop)
        bus.connections.value.append(Confined(connection))
        _ = SingleInstance("org.example.Notes", on: connection).start { _ in }
          .observe(failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 1)[0].contains("bus cannot be reached"))
    }
  }

  /// A desktop calls the actions of a desktop file.
  @Test func theDesktopReachesTheProgram() async {
    await withBus { bus in
      let log = EventLog<String>()
      _ = start(bus, .activate, "one", log)
      log.wait(for: 1)
      let command =
        untilParentEnds + [
          "/usr/bin/gdbus", "call", "--address", bus.address, "--dest", "org.example.Notes-1",
          "--object-path", "/org/example/Notes_1", "--method",
          "org.freedesktop.Application.ActivateAction", "new", "[<'Emma'>]", "{}",
        ]
      withProcessHere(command) { gdbus in #expect(gdbus.wait() == .exit(0)) }
      #expect(log.all.last == "one gets \(SingleInstance.Request.action("new", [Variant("Emma")]))")
    }
  }
}
