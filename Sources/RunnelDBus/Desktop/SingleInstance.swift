import RunnelStreams

/// A program that runs once in a session. A second start hands its request over to the first and ends.
///
///     let instance = SingleInstance("org.example.Notes", on: bus)
///     let role = instance.start(with: .arguments(["open", "Plans"], folder: "/home/emma")) { request in
///       show(request)
///     }
///     role.observe(next: { role in show(role) }, failed: { error in show(error) })
///
/// The program has a name on the bus and an object with the interface `org.freedesktop.Application`, so a
/// desktop can start it with a file of services, and call the actions of its desktop file. Arguments are
/// handed over by the interface `org.runnel.Application`.
public final class SingleInstance {
  /// The role of this process.
  public enum Role: Hashable, Sendable {
    /// It is the first, and receives the requests of later ones.
    case first
    /// Another process has handled the request.
    case handedOver
  }

  /// The thing that a start of the program asks for.
  public enum Request: Hashable, Sendable {
    /// Show a window.
    case activate
    /// Open addresses, such as `file:///home/emma/Plans.txt`.
    case open([String])
    /// Perform an action with its parameters.
    case action(String, [Variant])
    /// Do what the arguments say, in the working folder of the caller.
    case arguments([String], folder: String)
  }

  static let interface = "org.freedesktop.Application"
  static let argumentsInterface = "org.runnel.Application"

  let name: String
  let path: ObjectPath
  let bus: BusConnection

  /// Describes a program. Nothing is sent.
  ///
  /// - Precondition: the name is a name for the bus, such as `org.example.Notes`. Append a part, such as a
  ///   number of a folder, for a program that runs once for each of several things.
  public init(_ name: String, on bus: BusConnection) {
    precondition(
      NameRules.isService(name) && !name.hasPrefix(":"),
      "\"\(name)\" is no name for a program on the bus. Write for example \"org.example.Notes\".")
    self.name = name
    self.bus = bus
    // The specification of desktop files makes the path of the object from the name.
    let text = "/" + name.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    path = ObjectPath(trusting: text)
  }

  /// Becomes the first process, or hands a request over to it, each time that the result is observed.
  ///
  /// *Events*: sends ``Role/first`` when this process has the name. Then the closure is called with each
  /// request of others, which wait until it returns. Or sends ``Role/handedOver`` and completes when the
  /// first process has handled the request. Fails if there is no bus, or if the first process does not
  /// answer in time. A first process that ends meanwhile is replaced by this one.
  ///
  /// *Disposal*: releases the name.
  public func start(
    with request: Request = .activate, handling handle: @escaping (Request) -> Void
  ) -> EventStream<Role, BusError> {
    EventStream { observer in
      let session = InstanceSession(self, request, observer)
      session.start(handle)
      return Disposable { session.end() }
    }
  }

  /// Becomes the first process, or hands a request over to it, and runs the loop of the bus until that is known.
  /// Returns true if another process has handled the request. A process that does not answer in time, because it is
  /// stopped, counts as none, and then this process receives no requests.
  ///
  /// *Disposal*: releases the name.
  public func handOver(
    _ request: Request = .activate, within limit: Duration = .seconds(2), in bag: DisposeBag,
    handling handle: @escaping (Request) -> Void
  ) -> Bool {
    var role: Role?
    let isDecided = Property(false)
    let start = start(with: request, handling: handle).observe(
      next: {
        role = $0
        isDecided.value = true
      }, failed: { _ in isDecided.value = true })
    bus.loop.run(
      until: EventStream.merge(
        isDecided.filter { $0 }.map { _ in },
        EventStream.timer(after: limit, on: bus.loop).map { _ in }))
    if role == .first { start.disposed(by: bag) } else { start.dispose() }
    return role == .handedOver
  }

  func call(_ request: Request) -> Single<BusBody, BusError> {
    let none: [String: Variant] = [:]
    func method(_ name: String, of interface: String = Self.interface) -> BusMethod {
      BusMethod(name, of: interface, at: path, from: self.name)
    }
    return switch request {
    case .activate: bus.call(method("Activate"), startsService: false, with: none)
    case .open(let addresses):
      bus.call(method("Open"), startsService: false, with: addresses, none)
    case .action(let name, let parameters):
      bus.call(method("ActivateAction"), startsService: false, with: name, parameters, none)
    case .arguments(let words, let folder):
      bus.call(
        method("CommandLine", of: Self.argumentsInterface), startsService: false, with: words,
        folder)
    }
  }

  func interfaces(_ handle: @escaping (Request) -> Void) -> [BusInterface] {
    typealias Data = [String: Variant]
    var standard = BusInterface(Self.interface)
    standard.method("Activate", "platform_data") { (_: Data) throws(BusError) in
      handle(.activate)
    }
    standard.method("Open", "uris", "platform_data") {
      (addresses: [String], _: Data) throws(BusError) in handle(.open(addresses))
    }
    standard.method("ActivateAction", "action_name", "parameter", "platform_data") {
      (name: String, parameters: [Variant], _: Data) throws(BusError) in
      handle(.action(name, parameters))
    }
    var own = BusInterface(Self.argumentsInterface)
    own.method("CommandLine", "arguments", "folder") {
      (words: [String], folder: String) throws(BusError) in
      handle(.arguments(words, folder: folder))
    }
    return [standard, own]
  }
}

/// A start of a ``SingleInstance``.
private final class InstanceSession {
  private enum Phase {
    /// The bus was asked for the name.
    case asking
    /// Another process has the name, and was given the request.
    case handing(Disposable)
    /// This process has, or had, the name.
    case first
    case ended
  }

  private let instance: SingleInstance
  private let request: SingleInstance.Request
  private let observer: Observer<SingleInstance.Role, BusError>
  private var phase = Phase.asking
  private let naming = SerialDisposable()
  private var parts: [Disposable] = []

  init(
    _ instance: SingleInstance, _ request: SingleInstance.Request,
    _ observer: Observer<SingleInstance.Role, BusError>
  ) {
    self.instance = instance
    self.request = request
    self.observer = observer
  }

  func start(_ handle: @escaping (SingleInstance.Request) -> Void) {
    // The object exists before the name, so that no call finds the name without it.
    parts = [
      instance.bus.export(instance.interfaces(handle), at: instance.path, allowing: nil),
      instance.bus.state.stream.observeNext { [weak self] state in
        switch state {
        case .connecting, .connected: break
        case .lost(let error): self?.lost(error)
        case .closed: self?.lost(.disconnected)
        }
      },
    ]
    if case .asking = phase { askForName() }
  }

  private func askForName() {
    phase = .asking
    naming.current = instance.bus.name(instance.name, .doNotQueue).observe(
      next: { [weak self] state in
        switch state {
        case .owned: self?.becomeFirst()
        case .taken, .queued: self?.handOver()
        }
      },
      failed: { [weak self] error in self?.fail(error) })
  }

  private func becomeFirst() {
    guard case .asking = phase else { return }
    phase = .first
    observer.next(.first)
  }

  private func handOver() {
    guard case .asking = phase else { return }
    phase = .handing(.none)
    let call = instance.call(request).observe(
      succeeded: { [weak self] _ in self?.finish() },
      failed: { [weak self] error in
        switch error {
        // The first process has ended.
        case .serviceAbsent, .serviceUnknown, .nameHasNoOwner, .noReply: self?.askForName()
        default: self?.fail(error)
        }
      })
    if case .handing = phase { phase = .handing(call) } else { call.dispose() }
  }

  /// A first process stays what it is. It asks for the name again when the connection is made again.
  private func lost(_ error: BusError) {
    if case .first = phase { return }
    fail(error)
  }

  private func finish() {
    end()
    observer.next(.handedOver)
    observer.completed()
  }

  private func fail(_ error: BusError) {
    if case .ended = phase { return }
    end()
    observer.failed(error)
  }

  func end() {
    if case .handing(let call) = exchange(&phase, with: .ended) { call.dispose() }
    for part in exchange(&parts, with: []) { part.dispose() }
    naming.dispose()
  }
}
