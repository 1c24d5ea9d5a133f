import RunnelStreams

/// All properties of an interface as one value, so that those that change together are seen together.
final class RemoteValues: ServiceCopy {
  typealias Part = String

  /// The values by the names of the properties; nil while they are not known.
  let values = Property<[String: Variant]?>(nil)
  private let interface: String
  private let path: ObjectPath
  private let service: String
  private let follower: ServiceFollower<RemoteValues>

  /// Begins to follow the properties. An absent service is not started.
  init(of interface: String, at path: ObjectPath, from service: String, on bus: BusConnection) {
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

  /// A value that is read from all properties. It retains this object.
  func map<Output: Equatable>(
    _ transform: @escaping ([String: Variant]) -> Output?
  ) -> ReadOnlyProperty<Output?> {
    values.map { [self] values in withExtendedLifetime(self) { values.flatMap(transform) } }
  }

  private func receive(_ body: BusBody) {
    guard let (changed, invalidated) = body.changedProperties,
      follower.accepts(Array(changed.keys) + invalidated)
    else { return }
    for name in changed.keys { follower.endReading(of: name) }
    if !changed.isEmpty { set((values.value ?? [:]).merging(changed) { _, new in new }) }
    for name in invalidated where follower.isCurrent { follower.read(name) }
  }

  private func set(_ new: [String: Variant]?) {
    if values.value != new { values.value = new }
  }

  private func method(_ name: String) -> BusMethod {
    .ofProperties(name, at: path, from: service)
  }

  func askForAll() -> Single<BusBody, BusError> {
    follower.bus.call(method("GetAll"), startsService: false, with: interface)
  }

  func receiveAll(_ body: BusBody) throws(BusError) {
    let all = try body.value(as: [String: Variant].self)
    let early = follower.finishLoading()
    // The observers of the state can have ended all.
    guard follower.isCurrent else { return }
    set(all)
    for name in early.keys where follower.isCurrent { follower.read(name) }
  }

  func ask(for name: String) -> Single<BusBody, BusError> {
    follower.bus.call(method("Get"), startsService: false, with: interface, name)
  }

  func receive(
    _ reply: Result<BusBody, BusError>, for name: String, isOutdated: Bool
  ) throws(BusError) {
    var new = values.value ?? [:]
    new[name] = try? reply.get().value(as: Variant.self)
    set(new)
  }

  func forget() { set(nil) }
}
