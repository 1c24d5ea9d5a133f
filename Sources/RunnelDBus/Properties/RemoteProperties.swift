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
/// without its value is read. While the service is absent, all values are nil.
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

  /// A property that was asked for.
  private final class Entry {
    enum Phase {
      /// The value is the last one that was announced or read.
      case idle
      /// The value is being read, because it was announced without it.
      case reading
      /// The property was announced again meanwhile, and is read once more.
      case readingAgain
    }

    let value = Property<Variant?>(nil)
    var phase = Phase.idle
    var reading = Disposable.none

    func end() {
      phase = .idle
      exchange(&reading, with: .none).dispose()
    }

    func set(_ new: Variant?) {
      if value.value != new { value.value = new }
    }
  }

  private let bus: BusConnection
  private let interface: String
  private let path: ObjectPath
  private let service: String?
  private let currentState = Property(State.absent)
  private var entries: [String: Entry] = [:]
  /// The properties that were announced while all values were being read.
  private var early: Set<String> = []
  private var loading = Disposable.none
  private var observations: [Disposable] = []

  /// Begins to follow the properties. The service is nil for the peer of a connection without a bus.
  public init(
    of interface: String, at path: ObjectPath, from service: String?, on bus: BusConnection
  ) {
    self.bus = bus
    self.interface = interface
    self.path = path
    self.service = service
    let filter = SignalFilter(
      "PropertiesChanged", of: StandardInterface.properties, at: path, from: service,
      firstArgument: interface)
    observations.append(
      bus.signals(filter).observe(
        next: { [weak self] signal in self?.receive(signal) },
        failed: { [weak self] error in self?.currentState.value = .failed(error) }))
    observations.append(
      bus.owner(of: service).observeNext { [weak self] owner in
        if owner != nil { self?.load() } else { self?.forget() }
      })
  }

  deinit {
    loading.dispose()
    for entry in entries.values { entry.end() }
    for observation in observations { observation.dispose() }
  }

  /// The state of all properties.
  public var state: ReadOnlyProperty<State> { currentState.readOnly }

  /// A property. It is nil while it is not known, and if it has another type.
  public func property<Value: BusValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> ReadOnlyProperty<Value?> {
    let known = entries[name]
    let entry = known ?? Entry()
    entries[name] = entry
    if known == nil, currentState.value == .current { read(name, entry) }
    return entry.value.map { [self] variant in
      withExtendedLifetime(self) { variant?[type] }
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
    ).asCompletable()
  }

  private func method(_ name: String) -> BusMethod {
    BusMethod(name, of: StandardInterface.properties, at: path, from: service)
  }

  // MARK: - Reading

  private func forget() {
    loading.dispose()
    currentState.value = .absent
    for entry in Array(entries.values) {
      entry.end()
      entry.set(nil)
    }
  }

  private func load() {
    loading.dispose()
    for entry in entries.values { entry.end() }
    early = []
    currentState.value = .loading
    // An observer of the state can have ended all, or begun to load again.
    loading.dispose()
    guard currentState.value == .loading else { return }
    loading = bus.call(method("GetAll"), startsService: false, with: interface).observe(
      succeeded: { [weak self] body in self?.loaded(body) },
      failed: { [weak self] error in
        if error != .disconnected { self?.currentState.value = .failed(error) }
      })
  }

  private func loaded(_ body: BusBody) {
    do throws(BusError) {
      let values = try body.value(as: [String: Variant].self)
      currentState.value = .current
      setCurrent(entries.map { ($0.key, values[$0.key]) })
      // The values that were announced meanwhile can be newer than the reply.
      for name in exchange(&early, with: []) where currentState.value == .current {
        if let entry = entries[name], entry.phase == .idle { read(name, entry) }
      }
    } catch {
      currentState.value = .failed(error)
    }
  }

  /// Sets values until an observer of one ends all, or begins to load again.
  private func setCurrent(_ values: [(name: String, value: Variant?)]) {
    for (name, value) in values {
      guard currentState.value == .current else { return }
      entries[name]?.set(value)
    }
  }

  /// The number of properties that can be announced while all values are being read.
  private static let earlyLimit = 1_000

  private func receive(_ signal: BusSignal) {
    guard
      let (_, changed, invalidated) = try? signal.body.values(
        as: String.self, [String: Variant].self, [String].self)
    else { return }
    switch currentState.value {
    case .absent: break
    case .failed: load()
    case .loading:
      for name in Array(changed.keys) + invalidated where early.count < Self.earlyLimit {
        early.insert(name)
      }
    case .current:
      // A value that is being read can be older.
      for name in changed.keys { entries[name]?.end() }
      setCurrent(changed.map { ($0.key, $0.value) })
      for name in invalidated where currentState.value == .current {
        guard let entry = entries[name] else { continue }
        switch entry.phase {
        case .idle: read(name, entry)
        case .reading: entry.phase = .readingAgain
        case .readingAgain: break
        }
      }
    }
  }

  private func read(_ name: String, _ entry: Entry) {
    entry.phase = .reading
    let reading = bus.call(method("Get"), startsService: false, with: interface, name).observe(
      succeeded: { [weak self] in self?.wasRead(name, entry, try? $0.value(as: Variant.self)) },
      failed: { [weak self] _ in self?.wasRead(name, entry, nil) })
    if entry.phase == .reading { entry.reading = reading }
  }

  private func wasRead(_ name: String, _ entry: Entry, _ value: Variant?) {
    let isAnnouncedAgain = entry.phase == .readingAgain
    entry.phase = .idle
    entry.set(value)
    // An observer of the value can have ended all, or begun to read again.
    if isAnnouncedAgain, entry.phase == .idle, currentState.value == .current { read(name, entry) }
  }
}
