import CSystemd
import Glibc
import RunnelBus
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport

@testable import RunnelDBus

/// Transports of a bus with a connection each, whose ways to the bus can be cut. It belongs to the loop.
final class DBusFixture: TransportFixture {
  private let bus: PrivateBus
  private var count = 0

  init(_ bus: PrivateBus) {
    self.bus = bus
  }

  func makeTransport() -> DBusTransport {
    count += 1
    let way = bus.folder["way \(count)"]
    symlink(bus.folder["bus"], way)
    let address = BusAddress.bus("unix:path=\(BusAddress.escaped(way))")
    let connection = BusConnection(address, on: bus.loop)
    bus.connections.value.append(Confined(connection))
    return DBusTransport(
      as: "program \(count)", on: connection, longestPause: .milliseconds(10))
  }

  private func way(of transport: DBusTransport) -> String {
    bus.folder["way \(transport.program.split(separator: " ").last ?? "")"]
  }

  func interrupt(_ transport: DBusTransport) {
    unlink(way(of: transport))
    guard let connection = transport.bus.transport?.bus else { return }
    shutdown(sd_bus_get_fd(connection), Int32(SHUT_RDWR))
  }

  func repair(_ transport: DBusTransport) {
    symlink(bus.folder["bus"], way(of: transport))
  }

  func wait(until condition: () -> Bool, isolation: isolated (any Actor)?) async -> Bool {
    let end = bus.loop.now + .seconds(120)
    while !condition() {
      if bus.loop.now > end { return false }
      await withCheckedContinuation { continuation in
        _ = bus.loop.schedule(after: .milliseconds(1)) { continuation.resume() }
      }
    }
    return true
  }
}

/// An actor on a loop, for tests of asynchronous functions.
actor LoopActor {
  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Returns the rules that a transport of a bus breaks.
  func violations(on bus: PrivateBus) async -> [String] {
    await transportViolations(DBusFixture(bus))
  }
}

/// A program with a bus of events that records the messages on all topics. It belongs to the loop.
final class EventProgram {
  let events = EventBus(coder: .json)
  let seen: EventLog<String>
  private var links: [BusLink] = []

  init(_ seen: EventLog<String>) throws {
    self.seen = seen
    try events.messages(on: "#").observeNext { message in
      let text = (try? String(decoding: message.bytes, as: UTF8.self)) ?? "unreadable"
      seen.add("\(message.topic) \(text)")
    }
  }

  /// Joins in both directions. The state of the link is noted in the log.
  @discardableResult
  func join(
    _ transport: DBusTransport, _ prefix: String, states: EventLog<String>
  ) throws -> BusLink {
    let link = try events.join(transport, prefix: prefix, exporting: ["#"], importing: ["#"])
    links.append(link)
    link.state.observeNext { state in
      if state == .online { states.add("\(transport.program) \(prefix)") }
    }
    return link
  }

  func leave() {
    for link in links { link.dispose() }
  }
}
