import RunnelStreams

/// The properties of an interface of another program's object, kept up to date.
///
///     let player = RemoteProperties(
///       of: "org.example.Player", at: "/org/example/Player", from: "org.example.Player", on: bus)
///     player.property("Volume", as: Double.self).observeNext { volume in show(volume ?? 0) }
///     player.set("Volume", to: 0.5).observe(failed: { show($0) })
///
/// *Events*: the values are read when the service appears, and again when it is restarted or the
/// connection is made again. Then they follow the signal `PropertiesChanged`. A property that is announced
/// without its value is read. A property that the service does not announce changes when it is read with
/// ``read(_:as:)``, or after it was set. While the service is absent, all values are nil.
///
/// *Disposal*: ends when the object is released and no property that it has returned is left or observed.
public final class RemoteProperties {
  /// The state of the properties.
  public enum State: Hashable, Sendable {
    /// The service is absent, or the connection is lost.
    case absent
    /// The values are being read.
    case loading
    /// The values are up to date.
    case current
    /// The values cannot be read.
    case failed(BusError)
  }

  private let bus: BusConnection
  private let interface: String
  private let path: ObjectPath
  private let service: String?
  /// The properties that were asked for. They are nil while they are not known.
  private var values: [String: Property<Variant?>] = [:]
  /// The properties that the service has announced.
  private var announced: Set<String> = []
  private let follower: ServiceFollower<RemoteProperties>

  /// Begins to follow the properties. The service is nil for the peer of a connection without a bus.
  public init(
    of interface: String, at path: ObjectPath, from service: String?, on bus: BusConnection
  ) {
    self.bus = bus
    self.interface = interface
    self.path = path
    self.service = service
    follower = ServiceFollower(service, on: bus, earlyLimit: 1_000)
    follower.handle(.propertiesChanged(of: interface, at: path, from: service)) {
      $0.receive($1.body)
    }
    follower.start(for: self)
  }

  deinit {
    follower.letGo()
  }

  /// The state of all properties.
  public var state: ReadOnlyProperty<State> { follower.state.readOnly }

  /// A property. It is nil while it is not known, and if it has another type.
  public func property<Value: BusValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> ReadOnlyProperty<Value?> {
    let known = values[name]
    let value = known ?? Property(nil)
    values[name] = value
    if known == nil, follower.isCurrent { follower.read(name) }
    return value.map { [self] variant in
      withExtendedLifetime(self) { variant?[type] }
    }
  }

  /// Reads a property each time that the result is observed.
  ///
  ///     let player = RemoteProperties(
  ///       of: "org.example.Player", at: "/org/example/Player", from: "org.example.Player", on: bus)
  ///     player.read("Position", as: Int64.self).observe(succeeded: { show($0) })
  ///
  /// *Events*: a property that the service does not announce has the value before the end. An absent
  /// service is started. A value of another type fails with
  /// ``BusError/wrongSignature(expected:found:)``.
  public func read<Value: BusValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> Single<Value, BusError> {
    read(name, as: type, timeout: BusConnection.callTimeout, startsService: true)
  }

  func read<Value: BusValue>(
    _ name: String, as type: Value.Type, timeout: Duration, startsService: Bool
  ) -> Single<Value, BusError> {
    let call = bus.call(
      method("Get"), timeout: timeout, startsService: startsService, with: interface, name)
    return call.map { [self] body throws(BusError) in
      let variant = try body.value(as: Variant.self)
      // The reply can be older than an announcement.
      if follower.isCurrent, !announced.contains(name) { set(name, variant) }
      return try variant.value(as: type)
    }
  }

  /// Writes a property each time that the result is observed.
  ///
  /// *Events*: the property changes when the service announces it, which can be before or after the end.
  /// An absent service is started, which reading does not do.
  public func set<Value: BusValue>(_ name: String, to value: Value) -> Completable<BusError> {
    set(name, to: value, timeout: BusConnection.callTimeout, startsService: true)
  }

  func set<Value: BusValue>(
    _ name: String, to value: Value, timeout: Duration, startsService: Bool
  ) -> Completable<BusError> {
    let content: Variant.Content
    do throws(BusError) {
      content = try Variant.Content(writing: value)
    } catch {
      return Single<BusBody, BusError>.failed(error).asCompletable()
    }
    return bus.call(
      method("Set"), timeout: timeout, startsService: startsService, with: interface, name,
      Variant(content)
    )
    .map { [self] body in
      if follower.isCurrent, values[name] != nil, !announced.contains(name) { follower.read(name) }
      return body
    }
    .asCompletable()
  }

  private func method(_ name: String) -> BusMethod {
    .ofProperties(name, at: path, from: service)
  }

  // MARK: - Signals

  private func receive(_ body: BusBody) {
    guard let (changed, invalidated) = body.changedProperties,
      follower.accepts(Array(changed.keys) + invalidated)
    else { return }
    for name in Array(changed.keys) + invalidated where values[name] != nil {
      announced.insert(name)
    }
    // A value that is being read can be older.
    for name in changed.keys { follower.endReading(of: name) }
    setCurrent(changed.map { ($0.key, $0.value) })
    for name in invalidated where follower.isCurrent && values[name] != nil { follower.read(name) }
  }

  /// Sets values until an observer of one ends all, or begins to load again.
  private func setCurrent(_ new: [(name: String, value: Variant?)]) {
    for (name, value) in new where follower.isCurrent { set(name, value) }
  }

  private func set(_ name: String, _ new: Variant?) {
    if let value = values[name], value.value != new { value.value = new }
  }
}

extension RemoteProperties: ServiceCopy {
  func askForAll() -> Single<BusBody, BusError> {
    bus.call(method("GetAll"), startsService: false, with: interface)
  }

  func receiveAll(_ body: BusBody) throws(BusError) {
    let all = try body.value(as: [String: Variant].self)
    let early = follower.finishLoading()
    setCurrent(values.keys.map { ($0, all[$0]) })
    for name in early.keys where follower.isCurrent && values[name] != nil { follower.read(name) }
  }

  func ask(for name: String) -> Single<BusBody, BusError> {
    bus.call(method("Get"), startsService: false, with: interface, name)
  }

  func receive(
    _ reply: Result<BusBody, BusError>, for name: String, isOutdated: Bool
  ) throws(BusError) {
    set(name, try? reply.get().value(as: Variant.self))
  }

  func forget() {
    announced = []
    for name in Array(values.keys) { set(name, nil) }
  }
}
