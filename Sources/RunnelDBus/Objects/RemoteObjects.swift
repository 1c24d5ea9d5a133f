import RunnelCollections
import RunnelLoop
import RunnelStreams

/// The objects of a service that have an interface, as a live dictionary.
///
///     let devices = bus.objects(of: "org.example.Device", at: "/", from: "org.example.Devices")
///     devices.values.observe { event in show(event.collection.count) }
///
/// The service announces its objects with `org.freedesktop.DBus.ObjectManager`, at one path.
///
/// *Events*: the objects are read when the service appears, and again when it is restarted or the connection
/// is made again. Then they follow the signals of the service. After the first event of an observation,
/// each event is a changeset. While the service is absent, the dictionary is empty. When another
/// program takes the name, the old objects stay until the reply of the new owner arrives.
///
/// *Disposal*: ends when the object is released.
public final class RemoteObjects {
  /// The state of the dictionary.
  public typealias State = RemoteProperties.State

  /// The values of an object's properties, by name.
  public typealias Values = [String: Variant]

  private let bus: BusConnection
  private let interface: String
  private let manager: ObjectPath
  private let service: String?
  private let table = CollectionProperty<[ObjectPath: Values]>()
  private let follower: ServiceFollower<RemoteObjects>

  /// Begins to follow the objects. The service is nil for the peer of a connection without a bus.
  ///
  /// - Parameter manager: the path at which the service announces its objects.
  public init(
    of interface: String, at manager: ObjectPath, from service: String?, on bus: BusConnection
  ) {
    self.bus = bus
    self.interface = interface
    self.manager = manager
    self.service = service
    follower = ServiceFollower(service, on: bus, earlyLimit: BusLimits.objects)
    for (name, receive) in [
      ("InterfacesAdded", RemoteObjects.receiveAdded),
      ("InterfacesRemoved", RemoteObjects.receiveRemoved),
    ] {
      follower.handle(
        SignalFilter(name, of: StandardInterface.objectManager, at: manager, from: service)
      ) { receive($0)($1.body) }
    }
    follower.handle(.propertiesChanged(of: interface, from: service)) {
      $0.receiveChanged($1.path, $1.body)
    }
    follower.start(for: self)
  }

  deinit {
    follower.letGo()
  }

  /// The values of the objects by path.
  public var values: LiveCollection<[ObjectPath: Values]> { table.live }

  /// The objects by path as proxies, each of which stays the same while its object exists.
  ///
  ///     let objects = bus.objects(
  ///       of: "org.example.Player", at: "/", from: "org.example.Players")
  ///     let players = objects.proxies(as: PlayerProxy.self)
  ///     players.observe { event in show(event.collection.count) }
  ///
  /// The dictionary changes while this object exists.
  public func proxies<Proxy: BusProxy>(
    as type: Proxy.Type
  ) -> LiveCollection<[ObjectPath: Proxy]> {
    let proxies = CollectionProperty<[ObjectPath: Proxy]>()
    follower.keep(
      table.observe { [bus, service] event in
        proxies.batch {
          // After the initial event, there are only changes.
          for (path, _) in event.changes?.deletes ?? [:] { proxies[path] = nil }
          for (path, _) in event.changes?.inserts ?? event.collection {
            proxies[path] = Proxy(at: path, from: service, on: bus)
          }
        }
      })
    return proxies.live
  }

  /// The state of the dictionary.
  public var state: ReadOnlyProperty<State> { follower.state.readOnly }

  /// True when the dictionary is loaded and no call is unanswered.
  var isSettled: Bool { follower.isSettled }

  // MARK: - Signals

  private func receiveAdded(_ body: BusBody) {
    guard
      let (path, interfaces) = try? body.values(as: ObjectPath.self, [String: Values].self),
      let values = interfaces[interface], follower.accepts([path], existing: true)
    else { return }
    follower.endReading(of: path)
    set(path, values)
  }

  private func receiveRemoved(_ body: BusBody) {
    guard let (path, interfaces) = try? body.values(as: ObjectPath.self, [String].self),
      interfaces.contains(interface), follower.accepts([path], existing: true)
    else { return }
    follower.endReading(of: path)
    set(path, nil)
  }

  private func receiveChanged(_ path: ObjectPath, _ body: BusBody) {
    guard
      let (_, changed, invalidated) = try? body.values(
        as: String.self, Values.self, [String].self),
      follower.accepts([path])
    else { return }
    // The reply can be older than the change.
    follower.outdate(path)
    guard let old = table.value[path] else { return }
    if !invalidated.isEmpty { follower.read(path) }
    set(path, old.merging(changed) { $1 })
  }

  private func set(_ path: ObjectPath, _ values: Values?) {
    guard table.value[path] != values else { return }
    if values != nil, table.value[path] == nil, table.value.count >= BusLimits.objects {
      return follower.forget(as: .tooLarge)
    }
    table[path] = values
  }
}

extension RemoteObjects: ServiceCopy {
  func askForAll() -> Single<BusBody, BusError> {
    let method = BusMethod(
      "GetManagedObjects", of: StandardInterface.objectManager, at: manager, from: service)
    return bus.call(method, startsService: false)
  }

  func receiveAll(_ body: BusBody) throws(BusError) {
    let all = try body.value(as: [ObjectPath: [String: Values]].self)
    let objects = all.compactMapValues { $0[interface] }
    guard objects.count <= BusLimits.objects else { throw .tooLarge }
    let call = follower.loading
    table.replace(with: objects, performDiff: true)
    // An observer can have ended all, or begun to load again.
    guard state.value == .loading, follower.loading === call else { return }
    for (path, isManaged) in follower.finishLoading()
    where follower.isCurrent && (isManaged || table.value[path] != nil) {
      follower.read(path)
    }
  }

  func ask(for path: ObjectPath) -> Single<BusBody, BusError> {
    let method = BusMethod.ofProperties("GetAll", at: path, from: service)
    return bus.call(method, startsService: false, with: interface)
  }

  func receive(
    _ reply: Result<BusBody, BusError>, for path: ObjectPath, isOutdated: Bool
  ) throws(BusError) {
    switch reply {
    // The reply may take back what was announced since.
    case .success where isOutdated && table.value[path] != nil: break
    case .success(let body): set(path, try? body.value(as: Values.self))
    // The object, or its interface, does not exist.
    case .failure(.unknownObject), .failure(.unknownInterface), .failure(.unknownMethod),
      .failure(.invalidArguments):
      set(path, nil)
    case .failure(let error): throw error
    }
  }

  func forget() {
    table.removeAll()
  }
}

extension BusConnection {
  /// Follows the objects of a service that have an interface, with the values of their properties.
  ///
  ///     let devices = bus.objects(of: "org.bluez.Device1", at: "/", from: "org.bluez")
  ///     devices.values.observe { event in show(event.collection.count) }
  ///
  /// - Parameter manager: the path at which the service announces its objects.
  public func objects(
    of interface: String, at manager: ObjectPath, from service: String?
  ) -> RemoteObjects {
    RemoteObjects(of: interface, at: manager, from: service, on: self)
  }
}
