import Foundation
import RunnelDBus
import RunnelLoop
import RunnelTesting
import TestSupport

/// A `dbus-daemon` for one test. It ends with the test, also when the process of the tests is killed.
///
/// Its methods block. Use it on the thread of ``withBus(_:)``.
struct PrivateBus {
  let address: String
  let daemon: Fixture
  let loop: EventLoop

  /// Runs a body with a Python service that has a name on the bus.
  func withPeer<Output>(
    _ name: String = "org.example.Peer", _ body: (Fixture) -> Output
  ) -> Output {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peer.py")
    // The peers of Debian's Python have the modules.
    let command = Self.untilParentEnds + ["/usr/bin/python3", script.path(), address, name]
    return withProcessHere(command) { peer in
      precondition(peer.readLine() == "ready", "The peer does not start.")
      return body(peer)
    }
  }

  /// The program that ends another program with the calling thread.
  static let untilParentEnds = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"]

  /// Connects on the loop of the test.
  func connect() -> Confined<BusConnection?> {
    loop.wait { [address, loop] in Confined(BusConnection(.bus(address), on: loop)) }
  }
}

/// Runs the body of a test with a bus and a loop, on a thread that may block.
func withBus<Output: Sendable>(
  _ body: @escaping @Sendable (PrivateBus) -> Output
) async -> Output {
  await ManualContext.onThread { _ in
    let folder = TemporaryFolder()
    let loop = EventLoop(name: "test")
    defer {
      loop.stop()
      loop.join()
      withExtendedLifetime(folder) {}
    }
    let command = [
      "/usr/bin/dbus-daemon", "--session", "--nofork", "--print-address=1",
      "--address=unix:path=\(folder["bus"])",
    ]
    return withProcessHere(PrivateBus.untilParentEnds + command) { daemon in
      guard let address = daemon.readLine() else { fatalError("dbus-daemon does not start.") }
      return body(PrivateBus(address: address, daemon: daemon, loop: loop))
    }
  }
}

extension BusMethod {
  /// A method of the Python service.
  static func peer(_ name: String, at path: ObjectPath = "/one") -> BusMethod {
    BusMethod(name, of: "org.example.Peer", at: path, from: "org.example.Peer")
  }
}

/// The result of a call: the values as text, or the error.
enum CallResult: Hashable, Sendable {
  case values(String)
  case error(BusError)

  init(_ body: BusBody) {
    do throws(BusError) {
      self = .values(try body.contents().map { "\($0)" }.joined(separator: ", "))
    } catch {
      self = .error(error)
    }
  }
}

extension EventLoop {
  /// Calls a method and waits for the result.
  func result(
    of method: BusMethod, timeout: Duration = .seconds(60), startsService: Bool = true,
    on bus: Confined<BusConnection?>,
    writing: @escaping @Sendable (BusWriter) throws(BusError) -> Void = { _ in }
  ) -> CallResult {
    let log = EventLog<CallResult>()
    execute {
      bus.value?.call(method, timeout: timeout, startsService: startsService, writing: writing)
        .observe(succeeded: { log.add(CallResult($0)) }, failed: { log.add(.error($0)) })
    }
    return log.wait(for: 1)[0]
  }
}
