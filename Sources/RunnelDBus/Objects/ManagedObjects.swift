import RunnelCollections
import RunnelStreams

/// The objects of a live dictionary, which this program serves and announces.
final class ManagedObjects<Object> {
  /// An object that is served.
  private struct Entry {
    let interfaces: [BusInterface]
    let export: Disposable
  }

  typealias Announcement = (path: ObjectPath, interfaces: [BusInterface])

  private weak var bus: BusConnection?
  private let manager: ObjectPath
  private let policy: ((BusCall) -> Bool)?
  private let describe: (Object) -> [BusInterface]
  private var entries: [ObjectPath: Entry] = [:]
  private let added = PushStream<Announcement>()
  private let removed = PushStream<Announcement>()

  init(
    _ describe: @escaping (Object) -> [BusInterface], at manager: ObjectPath, on bus: BusConnection,
    allowing policy: ((BusCall) -> Bool)?
  ) {
    self.describe = describe
    self.manager = manager
    self.bus = bus
    self.policy = policy
  }

  // MARK: - The manager

  private typealias Values = [String: [String: Variant]]

  /// The interface of the object that announces the others.
  var interface: BusInterface {
    var interface = BusInterface(StandardInterface.objectManager)
    let path = BusInterface.Argument("object", .objectPath)
    let all = BusInterface.Argument("objects", [ObjectPath: Values].busType)
    interface.method("GetManagedObjects", arguments: [], results: [all]) {
      [self] call throws(BusError) in
      .value(values(for: call))
    }
    interface.signal(
      "InterfacesAdded", values: [path, BusInterface.Argument("interfaces", Values.busType)],
      added.stream
    ) { announcement, writer throws(BusError) in
      try announcement.path.write(to: writer)
      try Self.values(of: announcement.interfaces) { _, _ in true }.write(to: writer)
    }
    interface.signal(
      "InterfacesRemoved", values: [path, BusInterface.Argument("interfaces", [String].busType)],
      removed.stream
    ) { announcement, writer throws(BusError) in
      try announcement.path.write(to: writer)
      try announcement.interfaces.map(\.name).write(to: writer)
    }
    return interface
  }

  /// The values that the caller may read.
  private func values(for call: BusCall) -> [ObjectPath: Values] {
    var all: [ObjectPath: Values] = [:]
    for (path, entry) in entries {
      all[path] = Self.values(of: entry.interfaces) { interface, name in
        policy?(
          BusCall(
            caller: call.caller, path: path, interface: interface, name: name, access: .read,
            body: call.body)) ?? true
      }
    }
    return all
  }

  /// The values that can be written, of the properties that may be read.
  private static func values(
    of interfaces: [BusInterface], allowing isAllowed: (_ interface: String, _ name: String) -> Bool
  ) -> Values {
    var all: Values = [:]
    for interface in interfaces {
      var values: [String: Variant] = [:]
      for (name, property) in interface.properties where isAllowed(interface.name, name) {
        if let content = try? property.read() { values[name] = Variant(content) }
      }
      all[interface.name] = values
    }
    return all
  }

  // MARK: - The objects

  func follow(_ event: CollectionEvent<[ObjectPath: Object]>) {
    if let changes = event.changes {
      for (path, _) in changes.deletes { remove(path) }
      for (path, update) in changes.updates { replace(path, update.new) }
      for (path, object) in changes.inserts { replace(path, object) }
    } else {
      for path in Array(entries.keys) { remove(path) }
      for (path, object) in event.collection { replace(path, object) }
    }
  }

  private func replace(_ path: ObjectPath, _ object: Object) {
    remove(path)
    let interfaces = describe(object)
    guard let export = bus?.export(interfaces, at: path, allowing: policy) else { return }
    entries[path] = Entry(interfaces: interfaces, export: export)
    added.next((path, interfaces))
  }

  private func remove(_ path: ObjectPath) {
    guard let entry = entries.removeValue(forKey: path) else { return }
    entry.export.dispose()
    removed.next((path, entry.interfaces))
  }

  /// Ends serving the objects, without announcements, because the manager itself ends.
  func stop() {
    for entry in exchange(&entries, with: [:]).values { entry.export.dispose() }
  }
}
