import RunnelLoop
import RunnelStreams

extension BusConnection {
  /// The state of a service: absent, starting, or present with its owner.
  ///
  /// *Events*: the present state, then each change. The bus is asked while the stream is observed.
  public func service(_ name: String) -> EventStream<ServiceState, Never> {
    EventStream { observer in
      let (following, entry) = self.followEntry(name)
      let observation = entry.state.distinctUntilChanged().observeNext { observer.next($0) }
      return Disposable {
        observation.dispose()
        following.dispose()
        withExtendedLifetime(self) {}
      }
    }
  }

  /// The unique name of a service while it is present, then each change. For nil it is empty while the peer
  /// of a connection without a bus is connected.
  func owner(of service: String?) -> EventStream<String?, Never> {
    let owner =
      service.map { self.service($0).map(\.owner) }
      ?? state.stream.map { state in
        if case .connected = state { "" } else { nil }
      }
    return owner.distinctUntilChanged()
  }

  func follow(_ name: String) -> Disposable { followEntry(name).0 }

  /// Follows the owner of a name. The result does not retain the connection.
  func followEntry(_ name: String) -> (Disposable, OwnerTable.Entry) {
    let (entry, isNew) = owners.use(name) {
      handle(
        OwnerTable.changes(of: name),
        { [owners = core.owners] signal in Self.ownerChanged(signal, owners) },
        refused: { error in
          Log("runnel.dbus").warning("The bus does not announce the owner of \(name): \(error)")
        })
    }
    // The bus answers in order, so no change is lost between the rule and the question.
    if isNew { askForOwner(of: name) }
    let following = Disposable { [owners = core.owners] in
      if owners.endUse(of: name) { entry.rule.dispose() }
    }
    return (following, entry)
  }

  private static func ownerChanged(_ signal: BusSignal, _ owners: OwnerTable) {
    guard let (name, _, owner) = try? signal.body.values(as: String.self, String.self, String.self)
    else { return }
    owners.setOwner(owner, of: name)
  }

  func askForOwner(of name: String) {
    guard address.hasBus, transport != nil, let entry = owners[name] else { return }
    let query = call(.ofBus("GetNameOwner"), with: name).observe(
      succeeded: { [owners = core.owners] body in
        if let owner = try? body.value(as: String.self) { owners.setOwner(owner, of: name) }
      },
      failed: { [owners = core.owners] error in
        if case .nameHasNoOwner = error { owners.setOwner("", of: name) }
      })
    owners.ask(query, for: entry)
  }
}
