import RunnelLoop
import RunnelStreams
import TestSupport

@testable import RunnelDBus

/// A player that a test serves on its bus.
final class PlayerObject {
  let volume = Property(0.5)
  let title = Property("Emma")
  let moved = PushStream<Int64>()
  /// The waiting answers of the method `Wait`.
  var waiting: [(Result<String, BusError>) -> Void] = []
  let log: EventLog<String>

  init(_ log: EventLog<String>) {
    self.log = log
  }

  var interface: BusInterface {
    var player = BusInterface("org.example.Player")
    player.method("Add", "left", "right", returning: "sum") {
      (left: Int32, right: Int32) throws(BusError) in
      let (sum, overflows) = left.addingReportingOverflow(right)
      if overflows { throw .invalidArguments("The sum is too large.") }
      return sum
    }
    player.method("Note", "number") { [log] (number: UInt32) throws(BusError) in
      log.add("\(number)")
    }
    player.method("Large") { [log] () throws(BusError) in
      log.add("large")
      return [UInt8](repeating: 1, count: 1 << 20)
    }
    player.method("Fail") { () throws(BusError) in
      throw .other(name: "org.example.Full", text: "no room")
    }
    player.method("FailForAnother") { () throws(BusError) in
      throw .serviceUnknown("The service of the player is unknown.")
    }
    player.method("FailWrongly") { () throws(BusError) in
      throw .other(name: "no name", text: "text")
    }
    player.method("Lie", arguments: [], results: [BusInterface.Argument("", .int32)]) {
      _ throws(BusError) in .value("text")
    }
    player.method(
      "Wait",
      later: { [unowned self] () throws(BusError) in
        Single<String, BusError> { finish in
          self.waiting.append(finish)
          self.log.add("wait")
          return Disposable { self.log.add("disposed") }
        }
      })
    player.method("Who", arguments: [], results: [BusInterface.Argument("name", .string)]) {
      call throws(BusError) in .value(call.caller.name ?? "none")
    }
    player.writableProperty("Volume", volume)
    player.property("Title", title.readOnly, changes: .withoutValue) {
      [title] new throws(BusError) in
      if new.isEmpty { throw .invalidArguments("The title is empty.") }
      title.value = new
    }
    player.property("Length", title.map { UInt32($0.utf8.count) }, changes: .silent)
    player.constant("Version", "1.0")
    player.signal("Moved", "position", moved.stream)
    return player
  }
}

extension PrivateBus {
  /// Serves a player at `/one` with the name `org.example.Player` while the body runs.
  func withPlayer(
    allowing policy: (@Sendable (BusCall) -> Bool)? = nil,
    _ body: (Confined<PlayerObject?>, EventLog<String>) -> Void
  ) {
    let log = EventLog<String>()
    let server = connect()
    let names = EventLog<NameState>()
    let kept = Confined<[Disposable]>([])
    let player = Confined<PlayerObject?>(nil)
    loop.wait {
      player.value = PlayerObject(log)
      guard let player = player.value, let bus = server.value else { return }
      kept.value = [
        bus.export(player.interface, at: "/one", allowing: policy),
        bus.name("org.example.Player").observe(next: { names.add($0) }),
      ]
    }
    names.wait(for: 1)
    body(player, log)
    loop.wait {
      for part in kept.value { part.dispose() }
      kept.value = []
      server.value?.close()
      server.value = nil
      player.value = nil
    }
  }

  /// Calls a method of the player with values.
  func player(
    _ name: String, of interface: String = "org.example.Player", at path: ObjectPath = "/one",
    on client: Confined<BusConnection?>, _ values: Variant.Content...
  ) -> CallResult {
    let method = BusMethod(name, of: interface, at: path, from: "org.example.Player")
    return loop.result(of: method, on: client) { writer throws(BusError) in
      for value in values { try writer.write(value) }
    }
  }
}

/// Runs the body of a test with a player on a bus, and a client of it.
func withPlayerClient(
  allowing policy: (@Sendable (BusCall) -> Bool)? = nil,
  _ body:
    @escaping @Sendable (
      PrivateBus, Confined<BusConnection?>, Confined<PlayerObject?>, EventLog<String>
    ) -> Void
) async {
  await withBus { bus in
    bus.withPlayer(allowing: policy) { player, log in
      let client = bus.connect()
      body(bus, client, player, log)
      bus.loop.wait {
        client.value?.close()
        client.value = nil
      }
    }
  }
}
