import CSystemd
import RunnelLoop
import RunnelStreams

/// A connection to a bus, or to another program without a bus between.
///
///     let bus = BusConnection(.session, on: loop)
///     let list = BusMethod(
///       "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
///       from: "org.freedesktop.DBus")
///     bus.call(list).observe(
///       succeeded: { print((try? $0.value(as: [String].self)) ?? []) }, failed: { print($0) })
///
/// *Events*: replies and signals arrive in the order in which the bus sends them. Calls are sent in the
/// order in which they begin.
///
/// *Disposal*: ``close()`` and the release of the connection end everything. Both are allowed inside
/// callbacks of the connection. A connection that another thread releases ends on its loop. Observations of
/// signals, services and requested names, and ``RemoteProperties``, retain the connection. Unfinished calls
/// do not: they fail with ``BusError/disconnected`` when it is released.
public final class BusConnection {
  /// The state of a connection.
  public enum State: Hashable, Sendable {
    /// The connection is being authenticated. Calls wait.
    case connecting
    /// Messages can be sent. On a bus, the connection has a unique name.
    case connected(uniqueName: String?)
    /// The connection could not be made, or is lost. ``BusConnection/reconnect()`` begins again.
    case lost(BusError)
    /// ``BusConnection/close()`` was called.
    case closed
  }

  /// The loop that the connection runs on.
  public let loop: EventLoop
  let address: BusAddress
  private let passesDescriptors: Bool
  let core = ConnectionCore()

  /// The default time limit of a call.
  public static let callTimeout = Duration.seconds(25)

  /// Begins to connect. The state says if it succeeds.
  ///
  /// - Parameter passesDescriptors: true if messages may have descriptors. The default is true for a bus,
  ///   which limits their number. A peer without a bus can make this program hold any number of them, so
  ///   pass true only for a peer that is trusted. Another peer that sends descriptors loses the connection.
  ///
  /// *Timing*: the state is ``State/connecting`` first, and changes in a later turn of the loop.
  public init(_ address: BusAddress, on loop: EventLoop, passesDescriptors: Bool? = nil) {
    self.address = address
    self.passesDescriptors = passesDescriptors ?? address.hasBus
    self.loop = loop
    connect()
  }

  deinit {
    loop.close(core) { $0.end() }
  }

  /// The state of the connection.
  public var state: ReadOnlyProperty<State> { core.state.readOnly }

  var transport: BusSocket? { core.transport }

  /// The number of messages that were sent on the present connection, written or not.
  var acceptedCount: Int { transport?.acceptedCount ?? 0 }

  /// The number of messages of the present connection, or else of the last one, that were written to the socket.
  var writtenCount: Int { transport?.writtenCount ?? core.lastWrittenCount }

  var owners: OwnerTable { core.owners }
  var objects: ObjectTable { core.objects }
  var clients: ClientTable { core.clients }
  private var signalTable: SignalTable { core.signals }

  /// Ends the connection. Unfinished calls fail with ``BusError/disconnected``. Messages that the socket
  /// has no room for are dropped, and so are received messages that were not delivered.
  public func close() {
    end(as: .closed)
  }

  /// Connects again after the connection was lost. Does nothing in other states.
  ///
  /// Signals that are observed, services that are followed, and names are requested again. Objects that
  /// are served stay.
  ///
  /// *Timing*: a failure changes the state in a later turn of the loop. Call this function after a delay, or
  /// a program without a bus tries again in each turn.
  public func reconnect() {
    guard case .lost = core.state.value else { return }
    core.state.value = .connecting
    connect()
  }

  private func connect() {
    do throws(BusError) {
      let transport = try BusSocket(
        address, on: loop, passesDescriptors: passesDescriptors)
      core.transport = transport
      transport.becameReady = { [weak self] name in
        self?.core.state.value = .connected(uniqueName: name)
      }
      transport.wasLost = { [weak self] error in self?.end(as: .lost(error)) }
      transport.received = { [weak self] message in self?.receive(message) ?? false }
      transport.wroteAll = { [written = core.written] in written.next(()) }
      restore()
    } catch {
      core.report = loop.schedule(at: loop.now) { [weak self] in self?.end(as: .lost(error)) }
    }
  }

  private func end(as state: State) {
    core.report.dispose()
    core.lastWrittenCount = writtenCount
    let transport = exchange(&core.transport, with: nil)
    // All is forgotten before the state changes, because an observer of it can connect again.
    clients.removeAll()
    owners.forgetAll()
    if core.state.value != .closed { core.state.value = state }
    transport?.close(flushing: state == .closed)
  }

  private func open() throws(BusError) -> BusSocket {
    loop.mustBeCurrent("Using a BusConnection")
    guard let transport else { throw .disconnected }
    return transport
  }

  private func restore() {
    for rule in signalTable.allRules { sendRule("AddMatch", rule) }
    for name in owners.names { askForOwner(of: name) }
  }

  // MARK: - Calls

  /// Calls a method each time that the result is observed.
  ///
  /// *Events*: fails with ``BusError/timedOut`` if no reply arrives in time. If `startsService` is false
  /// and the service is absent, fails with ``BusError/serviceAbsent(_:)``; otherwise the bus starts a
  /// service that it knows.
  ///
  /// *Timing*: on the bus of the system, and on a bus at an address, at most 120 calls to services are
  /// unanswered. Further ones wait, in their order and within their time limits.
  ///
  /// *Disposal*: a reply that arrives after the disposal is ignored.
  public func call(
    _ method: BusMethod, timeout: Duration = BusConnection.callTimeout, startsService: Bool = true,
    writing: @escaping (BusWriter) throws(BusError) -> Void = { _ in }
  ) -> Single<BusBody, BusError> {
    Single { finish in
      self.start(method, timeout, startsService: startsService, writing: writing, finish)
    }
  }

  /// Calls a method, and tells its end.
  @usableFromInline
  func start(
    _ method: BusMethod, _ timeout: Duration, startsService: Bool,
    writing: (BusWriter) throws(BusError) -> Void,
    _ finish: @escaping (Result<BusBody, BusError>) -> Void
  ) -> Disposable {
    do throws(BusError) {
      return try begin(
        method, timeout: timeout, startsService: startsService, writing: writing, finish)
    } catch {
      finish(.failure(error))
      return .none
    }
  }

  /// Calls a method with arguments each time that the result is observed.
  ///
  ///     bus.call(setVolume, with: "left", 0.5).observe(failed: { show($0) })
  public func call<each Argument: BusValue>(
    _ method: BusMethod, timeout: Duration = BusConnection.callTimeout, startsService: Bool = true,
    with arguments: repeat each Argument
  ) -> Single<BusBody, BusError> {
    let parts: [Variant.Content]
    do throws(BusError) {
      parts = try contents(of: repeat each arguments)
    } catch {
      return .failed(error)
    }
    return call(method, timeout: timeout, startsService: startsService) { writer throws(BusError) in
      for part in parts { try writer.write(part) }
    }
  }

  private func begin(
    _ method: BusMethod, timeout: Duration, startsService: Bool,
    writing: (BusWriter) throws(BusError) -> Void,
    _ finish: @escaping (Result<BusBody, BusError>) -> Void
  ) throws(BusError) -> Disposable {
    try method.check()
    let transport = try open()
    let message = try transport.makeCall(method)
    defer { sd_bus_message_unref(message) }
    let writer = MessageWriter(message, limit: address.messageBytes)
    try writing(BusWriter(sink: .message(writer)))
    if !startsService { sd_bus_message_set_auto_start(message, 0) }
    let service = method.service ?? ""
    let isOfBus = service == BusDriver.name
    let start = startsService && owners.canStart(service) ? SerialDisposable() : nil
    let call = try transport.send(
      message, timeout: timeout, isCounted: address.hasBus && !isOfBus,
      hasDescriptors: writer.hasDescriptors,
      absentService: startsService || isOfBus ? nil : service
    ) { result in
      start?.dispose()
      finish(result)
    }
    // The call may have ended already. Then this ends at once.
    start?.current = owners.beginStart(of: service)
    return Disposable {
      call.cancel()
      start?.dispose()
    }
  }

  // MARK: - Signals

  /// Signals that match a filter.
  ///
  /// *Events*: fails if the bus refuses the match rule. Does not end when the connection is lost: after
  /// ``reconnect()``, signals arrive again. If the filter names a service, only signals of the owner
  /// that the name has at that time arrive, also when the service is restarted.
  public func signals(_ filter: SignalFilter) -> EventStream<BusSignal, BusError> {
    EventStream { observer in
      do throws(BusError) {
        try filter.check()
      } catch {
        observer.failed(error)
        return .none
      }
      let service = filter.service.flatMap { name in
        name.hasPrefix(":") || name == BusDriver.name ? nil : name
      }
      let following = service.map { self.follow($0) } ?? .none
      let handling = self.handle(filter, { observer.next($0) }, refused: { observer.failed($0) })
      return Disposable {
        handling.dispose()
        following.dispose()
        withExtendedLifetime(self) {}
      }
    }
  }

  /// Calls the action with each signal. The result does not retain the connection.
  func handle(
    _ filter: SignalFilter, _ action: @escaping (BusSignal) -> Void,
    refused: @escaping (BusError) -> Void
  ) -> Disposable {
    let handler = SignalTable.Handler(filter, action, refused: refused)
    if signalTable.add(handler) { sendRule("AddMatch", handler.rule) }
    return Disposable { [weak self, signalTable = core.signals] in
      if signalTable.remove(handler) { self?.sendRule("RemoveMatch", handler.rule) }
    }
  }

  private func sendRule(_ method: String, _ rule: String) {
    guard address.hasBus, transport != nil else { return }
    call(.ofBus(method), with: rule).observe(failed: { [signalTable = core.signals] error in
      // A lost connection is a state, and no failure of the signals.
      if method == "AddMatch", error != .disconnected { signalTable.refuse(rule, error) }
    })
  }

  // MARK: - Receiving

  private func receive(_ message: OpaquePointer) -> Bool {
    if sd_bus_message_is_method_call(message, nil, nil) > 0 { return receiveCall(message) }
    guard sd_bus_message_is_signal(message, nil, nil) > 0 else { return false }
    guard let member = sd_bus_message_get_member(message),
      let path = sd_bus_message_get_path(message),
      let interface = sd_bus_message_get_interface(message)
    else { return false }
    let name = String(cString: member)
    guard signalTable.hasHandlers(for: name) else { return false }
    // Without a bus, the peer can write any name.
    let sender =
      address.hasBus ? sd_bus_message_get_sender(message).map { String(cString: $0) } : nil
    let signal = BusSignal(
      sender: sender, path: ObjectPath(trusting: String(cString: path)),
      interface: String(cString: interface), name: name, body: BusBody(message))
    signalTable.deliver(signal) { owners[$0]?.state.value.owner }
    return false
  }

  /// Sends a signal. While the connection is being made, it waits, and one with a descriptor fails with
  /// ``BusError/failed(_:)``.
  public func send(
    _ name: String, of interface: String, at path: ObjectPath,
    writing: (BusWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) {
    guard NameRules.isMember(name) else { throw .invalidName(name) }
    guard NameRules.isInterface(interface) else { throw .invalidName(interface) }
    try BusDriver.checkIsNotLocal(interface, path)
    let transport = try open()
    let message = try transport.makeSignal(name, of: interface, at: path)
    defer { sd_bus_message_unref(message) }
    let writer = MessageWriter(message, limit: address.messageBytes)
    try writing(BusWriter(sink: .message(writer)))
    if writer.hasDescriptors, !transport.isReady {
      throw .failed("Descriptors cannot be sent before the connection is made.")
    }
    try transport.send(message)
  }
}
