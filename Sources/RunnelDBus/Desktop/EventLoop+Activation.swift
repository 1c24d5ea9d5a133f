import RunnelLoop
import RunnelStreams

extension EventLoop {
  /// Runs a process that the bus has started, because somebody has called its name: see
  /// `DBusActivatable=` of desktop files and `Exec=` of service files. It ends when it has not been called for a while,
  /// when another process has the name, when the bus is lost, or as `runUntilTerminated` does.
  ///
  ///     let calls = PushStream<Void>()
  ///     let search = BusInterface("org.example.Search")
  ///     try EventLoop.main.runActivated(as: "org.example.Search", on: bus, calls: calls.stream) { _ in
  ///       bus.export(search, at: "/org/example/Search")
  ///     }
  ///
  /// `setUp` exports the objects, before the process has the name. Each element of `calls`, which must not complete,
  /// starts the idle time again: send one when a call begins and when it ends. Throws the error of a bus that cannot be
  /// reached, or that refuses the name.
  @discardableResult
  @MainActor
  public func runActivated(
    as name: String, on bus: BusConnection, calls: EventStream<Void, Never>,
    idleTime: Duration = .seconds(60), _ setUp: @escaping @MainActor (Lifecycle) -> Void
  ) throws(BusError) -> Lifecycle.Outcome {
    var problem: BusError?
    let outcome = runUntilTerminated { service in
      var bag = DisposeBag()
      setUp(service)
      bus.name(name, .doNotQueue).observe(
        next: { if $0 != .owned { service.shutDown() } },
        failed: {
          problem = $0
          service.shutDown()
        }
      ).disposed(by: bag)
      EventStream.merge(
        calls.startWith(()).debounce(for: idleTime, on: self),
        bus.state.filter { if case .lost = $0 { true } else { false } }.map { _ in }
      ).observeNext { service.shutDown() }.disposed(by: bag)
      service.onShutdown("the name on the bus") { bag = DisposeBag() }
    }
    if let problem { throw problem }
    return outcome
  }
}
