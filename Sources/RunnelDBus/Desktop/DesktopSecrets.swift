import RunnelStreams

/// The keyring of the user, in which programs store passwords: the Secret Service of GNOME, KDE and others.
///
///     let secrets = DesktopSecrets(on: bus)
///     let account = ["server": "example.org", "user": "emma"]
///     secrets.store(Array("secret".utf8), as: "Mail of Emma", for: account)
///       .andThen(secrets.find(account))
///       .observe(succeeded: { found in show(found.count) }, failed: { error in show(error) })
///
/// The bus starts the service if it can. Without one, all operations fail with
/// ``BusError/serviceUnknown(_:)`` or ``BusError/serviceAbsent(_:)``. If the keyring is locked, the
/// service asks the user for its password first, and the operation waits. Its failure is
/// ``BusError/cancelled`` if the user refuses.
///
/// A secret crosses the bus as it is. Other programs of the user that may read the bus, or ask the
/// service, see it.
public final class DesktopSecrets {
  static let service = "org.freedesktop.secrets"
  static let path: ObjectPath = "/org/freedesktop/secrets"
  static let interface = "org.freedesktop.Secret.Service"
  static let collectionInterface = "org.freedesktop.Secret.Collection"
  static let itemInterface = "org.freedesktop.Secret.Item"
  static let promptInterface = "org.freedesktop.Secret.Prompt"
  static let sessionInterface = "org.freedesktop.Secret.Session"
  /// The keyring that the user has chosen for new secrets.
  static let defaultCollection: ObjectPath = "/org/freedesktop/secrets/aliases/default"

  private let bus: BusConnection

  /// Creates a client of the keyring. Nothing is sent.
  public init(on bus: BusConnection) {
    self.bus = bus
  }

  // MARK: - Operations

  /// Stores a secret each time that the result is observed, in place of one with the same attributes.
  ///
  /// - Parameters:
  ///   - label: The text that the user reads in a list of secrets.
  ///   - attributes: The attributes by which the secret is found. They are not secret.
  public func store(
    _ bytes: [UInt8], as label: String, for attributes: [String: String]
  ) -> Completable<BusError> {
    let properties: [String: Variant] = [
      Self.itemInterface + ".Label": Variant(label),
      Self.itemInterface + ".Attributes": Variant(attributes),
    ]
    let created = inSession { session in
      self.call(
        "CreateItem", of: Self.collectionInterface, at: Self.defaultCollection,
        as: ObjectPath.self, ObjectPath.self, with: properties, SecretValue(bytes, in: session),
        true
      )
      // Some services read the secret only when the user has agreed.
      .flatMap { _, prompt in self.answer(to: prompt) }
    }
    return unlock([Self.defaultCollection]).andThen(created).asCompletable()
  }

  /// Finds the secrets that have all the attributes each time that the result is observed.
  public func find(_ attributes: [String: String]) -> Single<[DesktopSecret], BusError> {
    search(attributes).flatMap { paths in
      paths.isEmpty ? .just([]) : self.inSession { self.read(paths, in: $0) }
    }
  }

  /// Deletes the secrets that have all the attributes each time that the result is observed. It completes
  /// also if there are none.
  public func delete(_ attributes: [String: String]) -> Completable<BusError> {
    search(attributes).flatMap { paths in
      Single.zip(
        paths.map { path in
          self.call("Delete", of: Self.itemInterface, at: path, as: ObjectPath.self)
            .flatMap { self.answer(to: $0) }
        })
    }
    .asCompletable()
  }

  // MARK: - The service

  private func call<each Argument: BusValue, each Output: BusValue>(
    _ name: String, of interface: String, at path: ObjectPath,
    as outputs: repeat (each Output).Type, with arguments: repeat each Argument
  ) -> Single<(repeat each Output), BusError> {
    RemoteObject(interface, at: path, from: Self.service, on: bus)
      .call(name, with: repeat each arguments, as: repeat each outputs)
  }

  /// Performs an operation in a session without encryption, which is closed at the end of the operation, or
  /// its disposal. The service would keep it as long as the connection.
  private func inSession<Output>(
    _ operation: @escaping (ObjectPath) -> Single<Output, BusError>
  ) -> Single<Output, BusError> {
    let opening = call(
      "OpenSession", of: Self.interface, at: Self.path, as: Variant.self, ObjectPath.self,
      with: "plain", Variant(""))
    return Single { finish in
      let working = Disposable()
      // The call is not disposed, because a session that is opened later must be closed, too.
      opening.observe(
        succeeded: { _, path in
          let closing = self.closing(path)
          if working.isDisposed { return closing.dispose() }
          working.add(closing)
          working.add(
            operation(path).observe(
              succeeded: { output in
                closing.dispose()
                finish(.success(output))
              },
              failed: { error in
                closing.dispose()
                finish(.failure(error))
              }))
        }, failed: { finish(.failure($0)) })
      return working
    }
  }

  /// Closes a session when it is disposed.
  private func closing(_ path: ObjectPath) -> Disposable {
    let session = RemoteObject(Self.sessionInterface, at: path, from: Self.service, on: bus)
    session.startsService = false
    return Disposable { session.call("Close").observe(failed: { _ in }) }
  }

  /// The objects of secrets with attributes, after the user has unlocked those that are locked.
  private func search(_ attributes: [String: String]) -> Single<[ObjectPath], BusError> {
    call(
      "SearchItems", of: Self.interface, at: Self.path, as: [ObjectPath].self, [ObjectPath].self,
      with: attributes
    )
    .flatMap { unlocked, locked in
      if locked.isEmpty { return .just(unlocked) }
      return self.unlock(locked).andThen(.just(unlocked + locked))
    }
  }

  private func unlock(_ paths: [ObjectPath]) -> Completable<BusError> {
    call(
      "Unlock", of: Self.interface, at: Self.path, as: [ObjectPath].self, ObjectPath.self,
      with: paths
    )
    .flatMap { _, prompt in self.answer(to: prompt) }
    .asCompletable()
  }

  private func read(
    _ paths: [ObjectPath], in session: ObjectPath
  ) -> Single<[DesktopSecret], BusError> {
    call(
      "GetSecrets", of: Self.interface, at: Self.path, as: [ObjectPath: SecretValue].self,
      with: paths, session
    )
    .map { values in
      paths.compactMap { path in values[path].map { DesktopSecret(path: path, bytes: $0.value) } }
    }
  }

  /// Waits until the user has answered a question of the service. The path `/` stands for none.
  ///
  /// *Disposal*: withdraws the question.
  private func answer(to prompt: ObjectPath) -> Single<Void, BusError> {
    if prompt == .root { return .just(()) }
    return Single { [bus] finish in
      let resources = Disposable()
      var isOver = false
      func end(_ result: Result<Void, BusError>) {
        isOver = true
        resources.dispose()
        finish(result)
      }
      let object = RemoteObject(Self.promptInterface, at: prompt, from: Self.service, on: bus)
      resources.add(
        object.signals("Completed", as: Bool.self, Variant.self).observe(
          next: { isDismissed, _ in end(isDismissed ? .failure(.cancelled) : .success(())) },
          failed: { end(.failure($0)) }))
      var wasPresent = false
      resources.add(
        bus.owner(of: Self.service).observeNext { owner in
          if owner == nil, wasPresent { end(.failure(.noReply("The keyring has ended."))) }
          wasPresent = owner != nil
        })
      // There is no window that the question could belong to.
      resources.add(object.call("Prompt", with: "").observe(failed: { end(.failure($0)) }))
      return Disposable {
        resources.dispose()
        if !isOver { object.call("Dismiss").observe(failed: { _ in }) }
      }
    }
  }
}
