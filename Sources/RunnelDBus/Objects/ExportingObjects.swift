import RunnelCollections
import RunnelStreams

extension BusConnection {
  /// Serves the objects of a live dictionary, each at its path, until the result is disposed. The object at
  /// `manager` announces them with `org.freedesktop.DBus.ObjectManager`.
  ///
  ///     let players = CollectionProperty<[ObjectPath: any Player]>()
  ///     bus.export(players, at: "/org/example/Players") { [PlayerProxy.interface(of: $0)] }
  ///     players["/org/example/Players/kitchen"] = musicPlayer
  ///
  /// - Parameter policy: as for ``export(_:at:allowing:)``. It decides about calls. Announcements go to every
  ///   program on the bus that asks for them.
  /// - Parameter interfaces: the interfaces of an object.
  ///
  /// *Events*: a key that is inserted or deleted is announced at once. A value that is set again for a key is
  /// another object, so the old one is announced as removed and the new one as added. A change of a
  /// property is announced by its object.
  ///
  /// *Disposal*: the objects and the manager are gone, without an announcement.
  ///
  /// - Precondition: no other object is at one of the paths.
  @discardableResult
  public func export<Object>(
    _ objects: some ObservableCollection<[ObjectPath: Object]>, at manager: ObjectPath,
    allowing policy: ((BusCall) -> Bool)? = nil,
    interfaces: @escaping (Object) -> [BusInterface]
  ) -> Disposable {
    let managed = ManagedObjects(interfaces, at: manager, on: self, allowing: policy)
    let exported = export(managed.interface, at: manager, allowing: policy)
    let observation = objects.live.observe { managed.follow($0) }
    return Disposable {
      observation.dispose()
      managed.stop()
      exported.dispose()
    }
  }

  /// Serves the objects of a live dictionary with the interface of a protocol.
  ///
  ///     let players = CollectionProperty<[ObjectPath: any Player]>()
  ///     bus.export(players, as: PlayerProxy.self, at: "/org/example/Players")
  ///
  /// *Events*, *Disposal*: as for ``export(_:at:allowing:interfaces:)``.
  @discardableResult
  public func export<Proxy: BusProxy>(
    _ objects: some ObservableCollection<[ObjectPath: Proxy.Object]>, as proxy: Proxy.Type,
    at manager: ObjectPath, allowing policy: ((BusCall) -> Bool)? = nil
  ) -> Disposable {
    export(objects, at: manager, allowing: policy) { [Proxy.interface(of: $0)] }
  }
}
