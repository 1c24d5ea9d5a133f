import RunnelStreams

/// The programs that are online, each of which has a name on the bus.
final class EventPeers {
  /// The names of the other programs, sorted.
  let names = Property<[String]>([])
  private let program: String
  // Safety: the owner of this object retains the connection, too.
  private unowned let bus: BusConnection
  private var observations: [Disposable] = []
  private var listing = Disposable.none

  init(_ program: String, on bus: BusConnection) {
    self.program = program
    self.bus = bus
  }

  /// Shows that this program is online, and follows others.
  func start(as name: String) {
    var filter = SignalFilter(
      "NameOwnerChanged", of: BusDriver.name, at: BusDriver.path, from: BusDriver.name)
    filter.firstNamespace = EventNames.peers
    observations = [
      bus.handle(
        filter, { [weak self] in self?.receive($0.body) },
        refused: { error in
          Log("runnel.dbus").warning("The bus does not announce other programs: \(error)")
        }),
      bus.name(name).observe(failed: { error in
        Log("runnel.dbus").warning("Other programs do not see this one: \(error)")
      }),
    ]
  }

  func stop() {
    for part in exchange(&observations, with: []) { part.dispose() }
    forget()
  }

  /// Asks for the programs. The bus answers in order, so changes that were announced before the answer are
  /// part of it.
  func list() {
    listing = bus.call(.ofBus("ListNames")).observe(
      succeeded: { [weak self] body in
        let names = (try? body.value(as: [String].self)) ?? []
        self?.set(Set(names.compactMap(EventNames.program)))
      },
      failed: { error in
        Log("runnel.dbus").warning("The other programs are not known: \(error)")
      })
  }

  /// Forgets the programs, because the connection is lost.
  func forget() {
    listing.dispose()
    set([])
  }

  private func receive(_ body: BusBody) {
    guard let (name, _, owner) = try? body.values(as: String.self, String.self, String.self),
      let other = EventNames.program(ofPeer: name)
    else { return }
    let others = Set(names.value)
    set(owner.isEmpty ? others.subtracting([other]) : others.union([other]))
  }

  private func set(_ others: Set<String>) {
    let sorted = others.subtracting([program]).sorted()
    if names.value != sorted { names.value = sorted }
  }
}
