import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct LoginSessionTests {
  private static func note(
    _ name: String, _ flag: ReadOnlyProperty<Bool?>, _ log: EventLog<String>
  ) -> Disposable {
    flag.distinctUntilChanged().observeNext { value in
      log.add("\(name) \(value.map { "\($0)" } ?? "nil")")
    }
  }

  private static func wait(for text: String, in log: EventLog<String>, from start: Int) {
    log.wait { $0[start...].contains(text) }
  }

  /// Waits until all flags are nil again.
  private static func waitForAbsence(in log: EventLog<String>) {
    log.wait { Set($0.suffix(3)) == ["locked nil", "active nil", "idle nil"] }
  }

  /// Adds a session to the mock, which names it by the word with which it is asked for.
  private static func addSession(_ bus: PrivateBus) {
    bus.tellMock("AddSession", at: LoginManager.path, of: LoginManager.service) {
      writer throws(BusError) in
      try "auto".write(to: writer)
      try "seat0".write(to: writer)
      try UInt32(1_000).write(to: writer)
      try "emma".write(to: writer)
      try true.write(to: writer)
    }
  }

  @Test func theSessionFollowsLogind() async {
    await withBus { bus in
      let client = bus.connect()
      let log = EventLog<String>()
      let parts = Confined<[Disposable]>([])
      bus.loop.wait {
        guard let client = client.value else { return }
        // Nothing but the observations retains the object.
        let session = LoginSession(on: client)
        parts.value = [
          Self.note("locked", session.isLocked, log), Self.note("active", session.isActive, log),
          Self.note("idle", session.isIdle, log),
        ]
      }
      #expect(log.all == ["locked nil", "active nil", "idle nil"])
      let name = LoginManager.service
      let path: ObjectPath = "/org/freedesktop/login1/session/auto"
      for _ in 0..<2 {
        let start = log.count
        bus.withMock("logind", named: name) {
          Self.addSession(bus)
          bus.updateMock(LoginSession.interface, at: path, of: name, ["LockedHint": Variant(true)])
          Self.wait(for: "locked true", in: log, from: start)
          bus.updateMock(LoginSession.interface, at: path, of: name, ["IdleHint": Variant(true)])
          Self.wait(for: "idle true", in: log, from: start)
        }
        Self.waitForAbsence(in: log)
      }
      bus.loop.wait {
        for part in parts.value { part.dispose() }
        client.value = nil
      }
    }
  }

  /// The program starts before its user logs in.
  @Test func laterSessionIsFound() async {
    await withBus { bus in
      let client = bus.connect()
      let log = EventLog<String>()
      let part = Confined(Disposable.none)
      let path: ObjectPath = "/org/freedesktop/login1/session/_31"
      let hasSession = Confined(false)
      let begun = Confined(PushStream<(String, ObjectPath)>())
      @Sendable func login(_ server: BusConnection) {
        var manager = BusInterface(LoginManager.interface)
        manager.method("GetSession", "id", returning: "path") { (_: String) throws(BusError) in
          log.add("asked")
          if !hasSession.value { throw .failed("There is no session.") }
          return path
        }
        manager.signal("SessionNew", values: ["id", "path"], begun.value.stream)
        server.export(manager, at: LoginManager.path)
        var session = BusInterface(LoginSession.interface)
        session.constant("Active", true)
        server.export(session, at: path)
      }
      bus.withService(LoginManager.service, login) {
        bus.loop.wait {
          guard let client = client.value else { return }
          part.value = Self.note("active", LoginSession(on: client).isActive, log)
        }
        #expect(log.wait(for: 2) == ["active nil", "asked"])
        bus.loop.wait {
          hasSession.value = true
          begun.value.next(("1", path))
        }
        #expect(log.wait(for: 4)[2...] == ["asked", "active true"])
      }
      bus.loop.wait {
        part.value.dispose()
        client.value = nil
      }
    }
  }
}
