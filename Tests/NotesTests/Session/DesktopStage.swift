#if DBus
import Foundation
import RunnelDBus
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// A bus, a home with a folder of notes, and services that a test serves. The bus is the one of the session and of the
/// system. It ends with the test.
struct DesktopStage {
  let address: String
  let home: TemporaryFolder
  let loop: EventLoop
  /// The connection of the services.
  let bus: Confined<BusConnection?>
  /// The calls of the services.
  let log = EventLog<String>()
  let services = Confined(DesktopServices())

  var notes: String { home["notes"] }

  var environment: [String: String] {
    [
      "HOME": home.path, "XDG_DATA_HOME": home["data"], "DBUS_SESSION_BUS_ADDRESS": address,
      "DBUS_SYSTEM_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8",
    ]
  }

  /// Runs the program to its end.
  func run(_ arguments: [String]) -> (status: Int32, output: [String]) {
    withProcessHere([Program.path] + arguments, environment: environment) { process in
      let lines = process.remainingLines()
      guard case .exit(let status) = process.wait() else { return (-1, lines) }
      return (status, lines)
    }
  }

  /// The text of a note; nil if there is none.
  func text(of note: String) -> String? {
    try? String(contentsOfFile: "\(notes)/\(note)", encoding: .utf8)
  }

  /// Waits until a lock is released: the bus has closed its copy, and the program its own.
  func waitForRelease(of lock: String) {
    let end = loop.wait { services.value.locks[lock]?.number } ?? -1
    var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, Int32(longestWait.components.seconds) * 1_000) == 1, "\(lock)")
  }
}

/// A logind and a service of notifications.
final class DesktopServices {
  let sleep = PushStream<Bool>()
  let shutdown = PushStream<Bool>()
  let invoked = PushStream<(UInt32, String)>()
  /// The ends of the sockets of locks, by the activity, which can be read when the lock is released.
  var locks: [String: BusDescriptor] = [:]
  private var count: UInt32 = 0

  func export(on bus: BusConnection, _ log: EventLog<String>) {
    var login = BusInterface("org.freedesktop.login1.Manager")
    login.method("Inhibit", "what", "who", "why", "mode", returning: "pipe") {
      [unowned self] (what: String, who: String, _: String, mode: String) throws(BusError) in
      var pair: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      precondition(socketpair(AF_UNIX, kind, 0, &pair) == 0)
      locks[what] = BusDescriptor(owning: pair[0])
      log.add("\(mode) \(what) \(who)")
      return BusDescriptor(owning: pair[1])
    }
    login.signal("PrepareForSleep", "start", sleep.stream)
    login.signal("PrepareForShutdown", "start", shutdown.stream)
    bus.export(login, at: "/org/freedesktop/login1")

    var notifications = BusInterface("org.freedesktop.Notifications")
    notifications.method("GetCapabilities", returning: "capabilities") { () throws(BusError) in
      ["actions", "body"]
    }
    notifications.method(
      "Notify", "app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints",
      "expire_timeout", returning: "id"
    ) {
      [unowned self]
      (
        _: String, _: UInt32, _: String, title: String, text: String, actions: [String],
        _: [String: Variant], _: Int32
      ) throws(BusError) in
      log.add("\(title). \(text) \(actions)")
      count += 1
      return count
    }
    notifications.method("CloseNotification", "id") { (number: UInt32) throws(BusError) in
      log.add("close \(number)")
    }
    notifications.signal("ActionInvoked", values: ["id", "action_key"], invoked.stream)
    bus.export(notifications, at: "/org/freedesktop/Notifications")
  }
}

/// Runs the body of a test with a bus and notes, on a thread that may block.
func withDesktop(
  _ notes: [String: String] = ["Milk.txt": "two bottles\n", "Tea.txt": "green\n"],
  _ body: @escaping @Sendable (DesktopStage) -> Void
) async {
  await withLoop { loop in
    let home = TemporaryFolder()
    try? FileManager.default.createDirectory(
      atPath: home["notes"], withIntermediateDirectories: true)
    for (name, text) in notes { home.write("notes/\(name)", text) }
    let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
    withBusDaemon(
      in: home, services: home["share/dbus-1/services"], environment: environment
    ) { _, address in
      let stage = DesktopStage(
        address: address, home: home, loop: loop, bus: Confined(nil))
      let names = EventLog<NameState>()
      loop.wait {
        let bus = BusConnection(.bus(address), on: loop)
        stage.bus.value = bus
        stage.services.value.export(on: bus, stage.log)
        for name in ["org.freedesktop.login1", "org.freedesktop.Notifications"] {
          _ = bus.name(name).observe(next: { names.add($0) })
        }
      }
      names.wait(for: 2)
      body(stage)
      loop.wait {
        stage.bus.value?.close()
        stage.bus.value = nil
      }
    }
  }
}
#endif
