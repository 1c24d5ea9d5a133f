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

  /// A call for the values of one object that has no reply yet.
  private final class Reading {
    enum Phase {
      /// No change was announced since the call was sent.
      case reading
      /// A change was announced since. The reply may be older, and the object is read once more.
      case readingAgain
    }

    var phase = Phase.reading
    var call = Disposable.none
  }

  private let bus: BusConnection
  private let interface: String
  private let manager: ObjectPath
  private let service: String?
  private let currentState = Property(State.absent)
  private let table = CollectionProperty<[ObjectPath: Values]>()
  private var readings: [ObjectPath: Reading] = [:]
  /// The objects that are read when others have been read.
  private var waiting: Set<ObjectPath> = []
  /// The objects that signals named while all were being read, and whether the manager has announced
  /// them. They are read afterwards.
  private var early: [ObjectPath: Bool] = [:]
  /// The reason why the signals of the service cannot be followed.
  private var refusal: BusError?
  private var loading = Disposable.none
  private var observations: [Disposable] = []

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
    handle("InterfacesAdded", of: StandardInterface.objectManager, at: manager) {
      $0.receiveAdded($1.body)
    }
    handle("InterfacesRemoved", of: StandardInterface.objectManager, at: manager) {
      $0.receiveRemoved($1.body)
    }
    handle("PropertiesChanged", of: StandardInterface.properties, firstArgument: interface) {
      $0.receiveChanged($1.path, $1.body)
    }
    observations.append(
      bus.owner(of: service).observeNext { [weak self] owner in
        if owner != nil { self?.load() } else { self?.forget(as: nil) }
      })
  }

  deinit {
    loading.dispose()
    for reading in readings.values { reading.call.dispose() }
    for observation in observations { observation.dispose() }
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
    observations.append(
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
  public var state: ReadOnlyProperty<State> { currentState.readOnly }

  /// True when the dictionary is loaded and no call is unanswered.
  var isSettled: Bool { currentState.value == .current && readings.isEmpty && waiting.isEmpty }

  private func handle(
    _ name: String, of interface: String, at path: ObjectPath? = nil, firstArgument: String? = nil,
    _ action: @escaping (RemoteObjects, BusSignal) -> Void
  ) {
    let filter = SignalFilter(
      name, of: interface, at: path, from: service, firstArgument: firstArgument)
    observations.append(
      bus.signals(filter).observe(
        next: { [weak self] signal in
          if let self { action(self, signal) }
        },
        failed: { [weak self] error in
          self?.refusal = error
          self?.forget(as: error)
        }))
  }

  // MARK: - Reading all objects

  /// Ends all calls and empties the dictionary, because of an error or because the service is absent.
  private func forget(as error: BusError?) {
    loading.dispose()
    endReadings()
    let state = (error ?? refusal).map { State.failed($0) } ?? .absent
    currentState.value = state
    // An observer of the state can have begun to load.
    if currentState.value == state { table.removeAll() }
  }

  private func endReadings() {
    waiting = []
    for reading in exchange(&readings, with: [:]).values { reading.call.dispose() }
  }

  private func load() {
    loading.dispose()
    endReadings()
    early = [:]
    if let refusal { return forget(as: refusal) }
    currentState.value = .loading
    // An observer of the state can have ended all, or begun to load again.
    loading.dispose()
    guard currentState.value == .loading else { return }
    let method = BusMethod(
      "GetManagedObjects", of: StandardInterface.objectManager, at: manager, from: service)
    loading = bus.call(method, startsService: false).observe(
      succeeded: { [weak self] body in self?.loaded(body) },
      failed: { [weak self] error in
        if error != .disconnected { self?.forget(as: error) }
      })
  }

  private func loaded(_ body: BusBody) {
    do throws(BusError) {
      let all = try body.value(as: [ObjectPath: [String: Values]].self)
      let objects = all.compactMapValues { $0[interface] }
      guard objects.count <= BusLimits.objects else { throw .tooLarge }
      let call = loading
      table.replace(with: objects, performDiff: true)
      // An observer can have ended all, or begun to load again.
      guard currentState.value == .loading, loading === call else { return }
      currentState.value = .current
      // The announcements that came meanwhile can be newer than the reply, or older.
      for (path, isManaged) in exchange(&early, with: [:])
      where currentState.value == .current && (isManaged || table.value[path] != nil) {
        read(path)
      }
    } catch {
      forget(as: error)
    }
  }

  // MARK: - Signals

  private func receiveAdded(_ body: BusBody) {
    guard
      let (path, interfaces) = try? body.values(as: ObjectPath.self, [String: Values].self),
      let values = interfaces[interface], isCurrent(path, isManaged: true)
    else { return }
    endReading(of: path)
    set(path, values)
  }

  private func receiveRemoved(_ body: BusBody) {
    guard let (path, interfaces) = try? body.values(as: ObjectPath.self, [String].self),
      interfaces.contains(interface), isCurrent(path, isManaged: true)
    else { return }
    endReading(of: path)
    set(path, nil)
  }

  private func receiveChanged(_ path: ObjectPath, _ body: BusBody) {
    guard
      let (_, changed, invalidated) = try? body.values(
        as: String.self, Values.self, [String].self),
      isCurrent(path, isManaged: false)
    else { return }
    // The reply can be older than the change.
    readings[path]?.phase = .readingAgain
    guard let old = table.value[path] else { return }
    if !invalidated.isEmpty, readings[path] == nil, !waiting.contains(path) { read(path) }
    set(path, old.merging(changed) { $1 })
  }

  /// Returns true if a signal about an object can be applied now. Otherwise notes it.
  private func isCurrent(_ path: ObjectPath, isManaged: Bool) -> Bool {
    switch currentState.value {
    case .absent: break
    case .failed: load()
    case .loading:
      if early[path] != nil || early.count < BusLimits.objects {
        early[path] = isManaged || early[path] == true
      }
    case .current: return true
    }
    return false
  }

  private func set(_ path: ObjectPath, _ values: Values?) {
    guard table.value[path] != values else { return }
    if values != nil, table.value[path] == nil, table.value.count >= BusLimits.objects {
      return forget(as: .tooLarge)
    }
    table[path] = values
  }

  // MARK: - Reading one object

  /// The number of objects that are read at the same time. A bus allows a connection 128 unanswered calls.
  private static let maximumReadingCount = 32

  private func endReading(of path: ObjectPath) {
    waiting.remove(path)
    readings.removeValue(forKey: path)?.call.dispose()
    readNext()
  }

  private func readNext() {
    while readings.count < Self.maximumReadingCount, currentState.value == .current,
      let path = waiting.popFirst()
    {
      read(path)
    }
  }

  private func read(_ path: ObjectPath) {
    guard readings.count < Self.maximumReadingCount else {
      waiting.insert(path)
      return
    }
    let reading = Reading()
    readings[path] = reading
    let method = BusMethod("GetAll", of: StandardInterface.properties, at: path, from: service)
    let call = bus.call(method, startsService: false, with: interface).observe(
      succeeded: { [weak self] body in
        self?.wasRead(path, reading, .success(try? body.value(as: Values.self)))
      },
      failed: { [weak self] error in self?.wasRead(path, reading, .failure(error)) })
    if readings[path] === reading { reading.call = call }
  }

  private func wasRead(_ path: ObjectPath, _ reading: Reading, _ result: Result<Values?, BusError>)
  {
    guard readings[path] === reading else { return }
    readings[path] = nil
    switch result {
    case .failure(.disconnected): return
    // The reply may take back what was announced since.
    case .success where reading.phase == .readingAgain && table.value[path] != nil: break
    case .success(let values?): set(path, values)
    // The object, or its interface, does not exist.
    case .success(nil), .failure(.unknownObject), .failure(.unknownInterface),
      .failure(.unknownMethod), .failure(.invalidArguments):
      set(path, nil)
    case .failure(let error): return forget(as: error)
    }
    // An observer can have ended all, or the object was announced again meanwhile.
    let mustReadAgain = reading.phase == .readingAgain && readings[path] == nil
    if mustReadAgain, currentState.value == .current { read(path) }
    readNext()
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
