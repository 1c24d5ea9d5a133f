import Foundation
import RunnelDBus
import RunnelLoop
import RunnelTesting
import TestSupport
import Testing

/// A `dbus-daemon` for one test. It ends with the test, also when the process of the tests is killed.
///
/// It has the limits of the bus of the system. It does not know the services of the machine, but starts the
/// Python service for calls to `org.example.Started`. Its methods block. Use it on the thread of
/// ``withBus(_:)``.
struct PrivateBus {
  let address: String
  let daemon: Fixture
  let loop: EventLoop
  let folder: TemporaryFolder
  /// The connections of the test, which are closed at its end.
  let connections: Confined<[Confined<BusConnection?>]>

  /// Runs a body with a Python service that has a name on the bus.
  func withPeer(_ name: String = "org.example.Peer", _ body: (Fixture) -> Void) {
    withProcessHere(untilParentEnds + Self.peer + [address, name]) { peer in
      if peer.readLine() == "ready" {
        body(peer)
      } else {
        Issue.record("The peer does not start.")
      }
    }
  }

  /// The Python service. The Python of the system has its modules.
  private static let peer = [
    "/usr/bin/python3",
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peer.py").path(),
  ]

  /// Connects on the loop of the test. The connection can be made again to a bus that follows this one.
  func connect() -> Confined<BusConnection?> {
    let address = BusAddress.bus("unix:path=\(folder["bus"])")
    return loop.wait { [loop, connections] in
      let connection = Confined<BusConnection?>(BusConnection(address, on: loop))
      connections.value.append(connection)
      return connection
    }
  }

  /// Runs a body with another bus at the same place, after this one was killed.
  func withSuccessor(_ body: (PrivateBus) -> Void) {
    Self.withDaemon(in: folder, on: loop, connections, body)
  }

  fileprivate static func withDaemon<Output>(
    in folder: TemporaryFolder, on loop: EventLoop,
    _ connections: Confined<[Confined<BusConnection?>]>, _ body: (PrivateBus) -> Output
  ) -> Output? {
    // It waits for input that never comes, and ends with the bus. Its parent ends when it has the name.
    let words = peer + ["unix:path=\(folder["bus"])", "org.example.Started"]
    let command = words.map { "'\($0)'" }.joined(separator: " ")
    folder.write(
      "start",
      """
      mkfifo '\(folder["input"])'
      exec \(command) <>'\(folder["input"])' >/dev/null
      """)
    folder.write(
      "org.example.Started.service",
      """
      [D-BUS Service]
      Name=org.example.Started
      Exec=/bin/sh \(folder["start"])
      """)
    return withBusDaemon(in: folder, services: folder.path) { daemon, address in
      body(
        PrivateBus(
          address: address, daemon: daemon, loop: loop, folder: folder, connections: connections))
    }
  }
}

/// Runs the body of a test with a bus and a loop, on a thread that may block.
func withBus(_ body: @escaping @Sendable (PrivateBus) -> Void) async {
  await ManualContext.onThread { _ in
    let folder = TemporaryFolder()
    let loop = EventLoop(name: "test")
    let connections = Confined<[Confined<BusConnection?>]>([])
    PrivateBus.withDaemon(in: folder, on: loop, connections, body)
    loop.wait {
      // A body can return early, and a connection must end on its loop.
      for connection in connections.value {
        connection.value?.close()
        connection.value = nil
      }
    }
    loop.stop()
    loop.join()
    withExtendedLifetime(folder) {}
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
  /// The call has not ended in time.
  case none

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
    return log.wait(for: 1).first ?? .none
  }
}
