import Glibc
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

/// A logind that a test serves on its bus.
private final class LoginService {
  let log: EventLog<String>
  let sleep = PushStream<Bool>()
  /// The ends of the sockets of locks, which can be read when the lock is released.
  var ends: [BusDescriptor] = []
  var refuses = false

  init(_ log: EventLog<String>) {
    self.log = log
  }

  var interface: BusInterface {
    var interface = BusInterface(LoginManager.interface)
    interface.method("Inhibit", "what", "who", "why", "mode", returning: "pipe") {
      [unowned self] (what: String, who: String, why: String, mode: String) throws(BusError) in
      if refuses { throw .accessDenied("The machine sleeps when it likes.") }
      var pair: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      precondition(socketpair(AF_UNIX, kind, 0, &pair) == 0)
      ends.append(BusDescriptor(owning: pair[0]))
      log.add("\(what) \(who) \(why) \(mode)")
      return BusDescriptor(owning: pair[1])
    }
    interface.signal("PrepareForSleep", "start", sleep.stream)
    return interface
  }

  /// True while the program holds the lock with the number.
  func isHeld(_ number: Int) -> Bool {
    var waiting = pollfd(fd: ends[number].number, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 0
  }
}

private struct LoginStage {
  let bus: PrivateBus
  /// The locks that the service has given.
  let locks = EventLog<String>()
  /// The events of the program.
  let events = EventLog<String>()
  let service = Confined<LoginService?>(nil)
  let server: Confined<BusConnection?>
  let login = Confined<LoginManager?>(nil)

  /// Waits until the lock is released: the bus has closed its copy, and the program its own.
  func waitForRelease(of number: Int) {
    let end = bus.loop.wait { service.value?.ends[number] }
    guard let end else { return }
    var waiting = pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, Int32(longestWait.components.seconds) * 1_000) == 1)
  }
}

@Suite struct LoginManagerTests {
  private func withLogin(_ body: @escaping @Sendable (LoginStage) -> Void) async {
    await withBus { bus in
      let stage = LoginStage(bus: bus, server: bus.connect())
      let client = bus.connect()
      let names = EventLog<NameState>()
      bus.loop.wait {
        guard let server = stage.server.value, let client = client.value else { return }
        let service = LoginService(stage.locks)
        stage.service.value = service
        server.export(service.interface, at: LoginManager.path)
        _ = server.name(LoginManager.service).observe(next: { names.add($0) })
        stage.login.value = LoginManager(of: "Notes", on: client)
      }
      names.wait(for: 1)
      body(stage)
      bus.loop.wait {
        stage.login.value = nil
        stage.server.value?.close()
        stage.server.value = nil
        stage.service.value = nil
        client.value = nil
      }
    }
  }

  @Test func sleepWaitsForTheWork() async {
    await withLogin { stage in
      let finish = Confined<[() -> Void]>([])
      let observation = Confined(Disposable.none)
      stage.bus.loop.wait {
        observation.value =
          stage.login.value?.delayingSleep(because: "It saves.") {
            Completable { done in
              finish.value.append { done(.completed) }
              stage.events.add("saves")
              return .none
            }
          }
          .observe(next: { stage.events.add("\($0)") }, failed: { stage.events.add("\($0)") })
          ?? .none
      }
      for round in 0..<2 {
        #expect(stage.locks.wait(for: round + 1).last == "sleep Notes It saves. delay")
        stage.bus.loop.wait { stage.service.value?.sleep.next(true) }
        let events = stage.events.wait(for: 3 * round + 2)
        #expect(events[(3 * round)...] == ["willSleep", "saves"])
        #expect(stage.bus.loop.wait { stage.service.value?.isHeld(round) } == true)
        stage.bus.loop.wait { finish.value[round]() }
        stage.waitForRelease(of: round)
        stage.bus.loop.wait { stage.service.value?.sleep.next(false) }
        #expect(stage.events.wait(for: 3 * round + 3).last == "awake")
      }
      stage.locks.wait(for: 3)
      stage.bus.loop.wait { observation.value.dispose() }
      stage.waitForRelease(of: 2)
    }
  }

  @Test func activitiesAreInhibitedUntilDisposal() async {
    await withLogin { stage in
      let observation = Confined(Disposable.none)
      stage.bus.loop.wait {
        observation.value =
          stage.login.value?.inhibit([.sleep, .idle], because: "It plays.")
          .observe(next: { stage.events.add("held") }, failed: { stage.events.add("\($0)") })
          ?? .none
      }
      stage.events.wait(for: 1)
      #expect(stage.locks.all == ["idle:sleep Notes It plays. block"])
      #expect(stage.bus.loop.wait { stage.service.value?.isHeld(0) } == true)
      stage.bus.loop.wait { observation.value.dispose() }
      stage.waitForRelease(of: 0)
    }
  }

  @Test func aRefusalIsAnError() async {
    await withLogin { stage in
      stage.bus.loop.wait {
        stage.service.value?.refuses = true
        _ = stage.login.value?.inhibit([.sleep], because: "It plays.")
          .observe(failed: { stage.events.add("\($0)") })
        _ = stage.login.value?.delayingSleep(because: "It saves.") { .completed }
          .observe(failed: { stage.events.add("\($0)") })
      }
      let texts = stage.events.wait(for: 2)
      #expect(texts.allSatisfy { $0.contains("sleeps when it likes") }, "\(texts)")
    }
  }

  /// Logind is restarted while the machine is kept awake.
  @Test func inhibitionsReturnWithLogind() async {
    await withLogin { stage in
      let observation = Confined(Disposable.none)
      stage.bus.loop.wait {
        observation.value =
          stage.login.value?.inhibit([.sleep], because: "It plays.")
          .observe(next: { stage.events.add("held") }, failed: { stage.events.add("\($0)") })
          ?? .none
      }
      stage.events.wait(for: 1)
      let next = stage.bus.connect()
      let names = EventLog<NameState>()
      stage.bus.loop.wait {
        stage.server.value?.close()
        guard let next = next.value, let service = stage.service.value else { return }
        next.export(service.interface, at: LoginManager.path)
        _ = next.name(LoginManager.service).observe(next: { names.add($0) })
      }
      #expect(stage.events.wait(for: 2) == ["held", "held"])
      stage.bus.loop.wait {
        observation.value.dispose()
        next.value?.close()
        next.value = nil
      }
    }
  }
}
