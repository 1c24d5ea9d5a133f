import RunnelLoop
import RunnelStreams

/// An object that this program serves.
final class ExportedObject {
  /// Decides who may do what. Returns false to deny.
  typealias Policy = (BusCall) -> Bool
  /// Sends a signal of this object.
  typealias Sender = (
    _ name: String, _ interface: String, _ writing: (BusWriter) throws(BusError) -> Void
  ) -> Void

  let path: ObjectPath
  let interfaces: [BusInterface]
  let policy: Policy?
  private let loop: EventLoop
  private let send: Sender
  private var observations: [Disposable] = []
  /// The properties that have changed since the last announcement, by interface and name. The properties
  /// are not read for it, because a signal can be sent while one is being mutated.
  private var changed: [String: [String: BusInterface.Encoding]] = [:]
  private var announcement = Disposable.none

  init(
    _ interfaces: [BusInterface], at path: ObjectPath, policy: Policy?, on loop: EventLoop,
    send: @escaping Sender
  ) {
    let names = interfaces.map(\.name)
    precondition(
      Set(names).count == names.count && StandardInterface.all.isDisjoint(with: names),
      "\(path) has two interfaces of one name. Use other names than those of org.freedesktop.DBus.")
    self.path = path
    self.interfaces = interfaces
    self.policy = policy
    self.loop = loop
    self.send = send
  }

  /// Begins to announce changes and to send signals.
  func start() {
    for interface in interfaces {
      for (name, property) in interface.properties
      where property.changes == .withValue || property.changes == .withoutValue {
        var isFirst = true
        observations.append(
          property.observe { [weak self] encode in
            if !isFirst { self?.change(name, of: interface.name, encode) }
          })
        isFirst = false
      }
      for (name, signal) in interface.signals {
        observations.append(
          signal.observe { [weak self] writing in
            self?.announceChanges()
            self?.send(name, interface.name, writing)
          })
      }
    }
  }

  func stop() {
    announcement.dispose()
    changed = [:]
    let ended = observations
    observations = []
    for observation in ended { observation.dispose() }
  }

  // MARK: - Lookup

  func interface(_ name: String) throws(BusError) -> BusInterface {
    guard let interface = interfaces.first(where: { $0.name == name }) else {
      throw .unknownInterface("\(path) has no interface \(name).")
    }
    return interface
  }

  /// Finds a method. Without the name of an interface, the first one with the method counts.
  func method(
    _ name: String, of interface: String?
  ) throws(BusError) -> (interface: String, method: BusInterface.Method) {
    for candidate in interfaces where interface == nil || candidate.name == interface {
      if let found = candidate.methods.first(where: { $0.name == name }) {
        return (candidate.name, found.method)
      }
    }
    if let interface { _ = try self.interface(interface) }
    throw .unknownMethod("\(path) has no method \(name) with this interface.")
  }

  func property(_ name: String, of interface: String) throws(BusError) -> BusInterface.Member {
    let found = try self.interface(interface).properties.first { $0.name == name }
    guard let found else { throw .unknownProperty("\(interface) has no property \(name).") }
    return found.property
  }

  // MARK: - Changes

  private func change(
    _ name: String, of interface: String, _ encode: @escaping BusInterface.Encoding
  ) {
    if changed.isEmpty {
      announcement = loop.schedule(at: loop.now) { [weak self] in self?.announceChanges() }
    }
    changed[interface, default: [:]][name] = encode
  }

  /// Sends the changes that wait. Called before each reply and signal, and at the end of a turn.
  func announceChanges() {
    guard !changed.isEmpty else { return }
    announcement.dispose()
    let waiting = changed
    changed = [:]
    for interface in interfaces {
      guard let changes = waiting[interface.name] else { continue }
      var values: [Variant.Entry] = []
      var invalidated: [Variant.Content] = []
      for (name, property) in interface.properties {
        guard let encode = changes[name] else { continue }
        if property.changes == .withValue, let content = try? encode() {
          values.append(Variant.Entry(key: .string(name), value: .variant(Variant(content))))
        } else {
          invalidated.append(.string(name))
        }
      }
      send("PropertiesChanged", StandardInterface.properties) { writer throws(BusError) in
        try writer.write(.string(interface.name))
        try writer.write(.dictionary(key: .string, value: .variant, values))
        try writer.write(.array(of: .string, invalidated))
      }
    }
  }
}
