import RunnelCollections
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

/// The service of Bluetooth, as python-dbusmock has it.
@Suite struct BlueZTests {
  private static let service = "org.bluez"

  /// Calls a method of the mock with texts.
  private static func tell(_ name: String, _ bus: PrivateBus, _ texts: String...) {
    let method = BusMethod(name, of: "org.bluez.Mock", at: "/", from: service)
    let result = bus.loop.result(of: method, on: bus.connect()) { writer throws(BusError) in
      for text in texts { try text.write(to: writer) }
    }
    if case .error(let error) = result { Issue.record(error) }
  }

  /// Follows all devices until they are removed, and notes what happens to them.
  private static func follow(_ client: BusConnection, _ log: EventLog<String>) -> [AnyObject] {
    let objects = client.objects(of: "org.bluez.Device1", at: "/", from: service)
    let devices = objects.proxies(as: BlueZDeviceProxy.self)
    objects.state.stream.observeNext { log.add("\($0)") }
    var bags: [ObjectPath: DisposeBag] = [:]
    devices.observe { event in
      for (path, device) in event.changes?.inserts ?? [:] {
        let bag = DisposeBag()
        bags[path] = bag
        device.alias.distinctUntilChanged().observeNext { alias in
          if let alias { log.add("alias \(alias)") }
        }.disposed(by: bag)
        device.connected.distinctUntilChanged().observeNext { isConnected in
          if let isConnected { log.add("connected \(isConnected)") }
        }.disposed(by: bag)
      }
      for (path, _) in event.changes?.deletes ?? [:] {
        // A proxy that is still observed follows a later object at its path.
        bags[path] = nil
        log.add("removed \(path)")
      }
    }
    return [objects, devices]
  }

  @Test func devicesOfAMockAreFollowed() async {
    await withBus { bus in
      let client = bus.connect()
      let log = EventLog<String>()
      let kept = Confined<[AnyObject]>([])
      let path: ObjectPath = "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF"
      bus.loop.wait { kept.value = client.value.map { Self.follow($0, log) } ?? [] }
      log.wait { $0.last == "absent" }
      for _ in 0..<2 {
        let start = log.count
        bus.withMock("bluez5", named: Self.service) {
          log.wait { $0[start...].contains("current") }
          Self.tell("AddAdapter", bus, "hci0", "Laptop")
          Self.tell("AddDevice", bus, "hci0", "AA:BB:CC:DD:EE:FF", "Phone")
          log.wait { Set($0.suffix(2)) == ["alias Phone", "connected false"] }
          let connect = BusMethod("Connect", of: "org.bluez.Device1", at: path, from: Self.service)
          #expect(bus.loop.result(of: connect, on: client) == .values(""))
          log.wait { $0.last == "connected true" }
          let again = BusError.other(
            name: "org.bluez.Error.AlreadyConnected", text: "Already Connected")
          #expect(bus.loop.result(of: connect, on: client) == .error(again))
          let remove = BusMethod(
            "RemoveDevice", of: "org.bluez.Adapter1", at: "/org/bluez/hci0", from: Self.service)
          _ = bus.loop.result(of: remove, on: client) { writer throws(BusError) in
            try path.write(to: writer)
          }
          log.wait { $0.last == "removed \(path)" }
          Self.tell("AddDevice", bus, "hci0", "AA:BB:CC:DD:EE:FF", "Phone")
          log.wait { Set($0.suffix(2)) == ["alias Phone", "connected false"] }
        }
        // The service is killed. Its device is no more.
        log.wait { Set($0.suffix(2)) == ["absent", "removed \(path)"] }
      }
      bus.loop.wait {
        kept.value = []
        client.value = nil
      }
    }
  }
}

@BusInterface("org.bluez.Device1")
protocol BlueZDevice {
  var alias: ReadOnlyProperty<String> { get }
  var connected: ReadOnlyProperty<Bool> { get }
}
