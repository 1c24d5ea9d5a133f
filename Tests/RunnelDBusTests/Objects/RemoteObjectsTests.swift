import Foundation
import RunnelCollections
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct RemoteObjectsTests {
  /// A dictionary that follows a service, with all that a test observes of it.
  private final class Follower {
    let objects: RemoteObjects
    /// The dictionary that results from the changes alone.
    private(set) var model: SharedDictionary<ObjectPath, RemoteObjects.Values> = [:]
    /// The events that are no exact changes.
    private(set) var faults: [String] = []
    private var observations: [Disposable] = []

    init(_ bus: BusConnection, _ states: EventLog<RemoteObjects.State>) {
      objects = bus.objects(of: "org.example.Device", at: "/devices", from: "org.example.Peer")
      observations = [
        objects.state.stream.observeNext { states.add($0) },
        objects.values.observe { [unowned self] event in
          if case .initial = event.change { return }
          guard let changes = event.changes else {
            faults.append("A reset.")
            return
          }
          changes.apply(to: &model)
          if changes.updates.contains(where: { $0.value.old == $0.value.new }) {
            faults.append("An update without a change.")
          }
          if model != event.collection { faults.append("The changes lead to \(model).") }
        },
      ]
    }
  }

  private static func manager(_ name: String) -> BusMethod {
    BusMethod(name, of: "org.example.Manager", at: "/devices", from: "org.example.Peer")
  }

  /// The objects as the service knows them.
  private static func state(
    _ bus: PrivateBus, _ client: Confined<BusConnection?>
  ) -> [ObjectPath: RemoteObjects.Values]? {
    let log = EventLog<[ObjectPath: RemoteObjects.Values]?>()
    bus.loop.execute {
      client.value?.call(manager("State"), timeout: .seconds(60)).observe(
        succeeded: { log.add(try? $0.value()) }, failed: { _ in log.add(nil) })
    }
    return log.wait(for: 1).first ?? nil
  }

  /// Waits until no reply can change the dictionary.
  private static func settle(
    _ bus: PrivateBus, _ client: Confined<BusConnection?>, _ follower: Confined<Follower?>
  ) {
    let ping = BusMethod(
      "Ping", of: "org.freedesktop.DBus.Peer", at: "/devices", from: "org.example.Peer")
    // The reply arrives after the replies to all earlier calls.
    for _ in 0..<10_000 {
      let isSettled = bus.loop.wait { follower.value?.objects.isSettled ?? true }
      if isSettled { return }
      _ = bus.loop.result(of: ping, on: client)
    }
    Issue.record("The dictionary does not settle.")
  }

  private static func expectEqual(
    _ bus: PrivateBus, _ client: Confined<BusConnection?>, _ follower: Confined<Follower?>,
    _ place: String
  ) -> Bool {
    // A call that the follower has ended can make the service change once more while it tells its state.
    for _ in 0..<20 where isEqual(bus, client, follower).isEqual { return true }
    Issue.record("\(place): \(isEqual(bus, client, follower).text)")
    return false
  }

  private static func isEqual(
    _ bus: PrivateBus, _ client: Confined<BusConnection?>, _ follower: Confined<Follower?>
  ) -> (isEqual: Bool, text: String) {
    settle(bus, client, follower)
    let expected = state(bus, client)
    let (found, model, faults) = bus.loop.wait {
      let objects = follower.value?.objects.values.value
      return (
        objects.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }) },
        follower.value.map { follower in
          Dictionary(uniqueKeysWithValues: follower.model.map { ($0.key, $0.value) })
        }, follower.value?.faults ?? []
      )
    }
    let isEqual = expected != nil && found == expected && model == expected && faults.isEmpty
    return (isEqual, "\(faults) \(String(describing: found)) \(String(describing: expected))")
  }

  @Test("A dictionary equals the objects of a service that changes, moves and restarts")
  func randomChangesKeepTheDictionaryEqual() async {
    // A thousand changes for each seed, and those that the service makes while it replies.
    let seeds = seeds(2 as UInt64)
    await withBus { bus in
      let client = bus.connect()
      let states = EventLog<RemoteObjects.State>()
      let follower = Confined<Follower?>(nil)
      bus.loop.wait { follower.value = client.value.map { Follower($0, states) } }
      for seed in seeds {
        var random = SeededGenerator(seed: seed)
        guard Self.life(bus, client, follower, states, seed, &random) else { break }
      }
      bus.loop.wait { follower.value = nil }
    }
  }

  /// Compares the dictionary with a service from its start until its end. Returns false if they differ.
  private static func life(
    _ bus: PrivateBus, _ client: Confined<BusConnection?>, _ follower: Confined<Follower?>,
    _ states: EventLog<RemoteObjects.State>, _ seed: UInt64, _ random: inout SeededGenerator
  ) -> Bool {
    var isEqual = true
    let before = states.count
    func change(_ name: String, _ count: Int32, waits: Bool = true) {
      if waits {
        _ = bus.loop.result(of: manager(name), on: client) { writer throws(BusError) in
          try count.write(to: writer)
        }
      } else {
        bus.loop.wait {
          _ = client.value?.call(manager(name), with: count).observe(failed: { _ in })
        }
      }
    }
    bus.withManager(seed: seed) { service in
      states.wait { $0[before...].contains(.current) }
      var steps: Int32 = 0
      while steps < 1_000, isEqual {
        let count = Int32.random(in: 1...40, using: &random)
        steps += count
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          // The owner changes between the changes, without an absence.
          change("Steps", count, waits: false)
          change("Move", 0, waits: false)
          change("Steps", count)
        case 1:
          // The name is gone for a time.
          let seen = states.count
          change("Steps", count, waits: false)
          change("Leave", 0)
          states.wait { $0[seen...].contains(.absent) }
          let isEmpty = bus.loop.wait { follower.value?.objects.values.value.isEmpty }
          if isEmpty != true { Issue.record("\(seed): an absent service has objects.") }
          let absences = states.count
          let method = BusMethod(
            "Return", of: "org.example.Manager", at: "/devices", from: service)
          _ = bus.loop.result(of: method, on: client)
          states.wait { $0[absences...].contains(.current) }
        default: change("Steps", count)
        }
        isEqual = expectEqual(bus, client, follower, "seed \(seed), step \(steps)")
      }
      // The service dies in the middle of its changes.
      if Bool.random(using: &random) { change("Die", 10) }
    }
    states.wait { $0.last == .absent }
    let count = bus.loop.wait { follower.value?.objects.values.value.count }
    if count != 0 { Issue.record("\(seed): an ended service has \(count ?? -1) objects.") }
    return isEqual && count == 0
  }

  @Test func proxiesStayWhileTheirObjectsExist() async {
    await withBus { bus in
      let (server, client) = (bus.connect(), bus.connect())
      let log = EventLog<String>()
      let devices = Confined<CollectionProperty<[ObjectPath: Device]>?>(nil)
      let kept = Confined<[AnyObject]>([])
      bus.loop.wait {
        guard let server = server.value, let client = client.value else { return }
        let served = CollectionProperty<[ObjectPath: Device]>()
        devices.value = served
        server.export(served, at: "/devices") { [$0.interface] }
        let naming = server.name("org.example.Peer").observe(next: { _ in })
        let objects = client.objects(
          of: "org.example.Device", at: "/devices", from: "org.example.Peer")
        let proxies = objects.proxies(as: DeviceObjectProxy.self)
        kept.value = [objects, proxies, naming]
        objects.state.stream.observeNext { log.add("\($0)") }
        proxies.observe { event in
          for (path, proxy) in event.changes?.inserts ?? [:] {
            log.add("+\(path)")
            proxy.name.observeNext { log.add("\(path) \($0 ?? "none")") }
          }
          for (path, _) in event.changes?.deletes ?? [:] { log.add("-\(path)") }
        }
      }
      log.wait { $0.last == "current" }
      let before = log.count
      bus.loop.wait { devices.value?["/devices/a"] = Device("Lamp") }
      #expect(
        log.wait(for: before + 3)[before...] == [
          "+/devices/a", "/devices/a none", "/devices/a Lamp",
        ])
      bus.loop.wait { devices.value?["/devices/a"]?.name.value = "Light" }
      #expect(log.wait(for: before + 4).last == "/devices/a Light")
      bus.loop.wait { devices.value?["/devices/a"] = nil }
      #expect(log.wait(for: before + 5).last == "-/devices/a")
      bus.loop.wait {
        kept.value = []
        devices.value = nil
      }
    }
  }

  @Test func failedManagersAreAState() async {
    await withBus { bus in
      bus.withPeer { _ in
        let client = bus.connect()
        let log = EventLog<RemoteObjects.State>()
        let kept = Confined<RemoteObjects?>(nil)
        bus.loop.wait {
          kept.value = client.value?.objects(
            of: "org.example.Device", at: "/one", from: "org.example.Peer")
          kept.value?.state.stream.observeNext { log.add($0) }
        }
        let all = log.wait { if case .failed = $0.last { true } else { false } }
        if case .failed(.unknownMethod) = all.last {} else { Issue.record("\(all)") }
        bus.loop.wait { kept.value = nil }
      }
    }
  }
}

@BusInterface("org.example.Device")
protocol DeviceObject {
  var name: ReadOnlyProperty<String> { get }
}

/// An object that a test serves.
final class Device {
  let name: Property<String>

  init(_ name: String) { self.name = Property(name) }

  var interface: BusInterface {
    var device = BusInterface("org.example.Device")
    device.writableProperty("Name", name)
    return device
  }
}

extension PrivateBus {
  /// Runs a body with a Python service whose objects change at random. The body gets the unique name of
  /// the first connection of the service.
  func withManager(seed: UInt64, _ body: (_ uniqueName: String) -> Void) {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Support/manager.py").path()
    let words = ["/usr/bin/python3", file, address, "org.example.Peer", "\(seed)"]
    withProcessHere(untilParentEnds + words) { service in
      let words = service.readLine()?.split(separator: " ") ?? []
      if words.count == 2, words[0] == "ready" {
        body(String(words[1]))
      } else {
        Issue.record("The service does not start.")
      }
    }
  }
}
