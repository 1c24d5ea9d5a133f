import RunnelCollections
import RunnelLoop
import RunnelStreams

/// Keeps programs running: it starts them in order, starts them again when they fail, logs what they
/// write, and ends them in the opposite order.
///
///     let supervisor = Supervisor(on: .main)
///     supervisor.add("database", running: "redis-server", ["--port", "7001"]) { rules in
///       rules.readiness = .line(containing: "Ready to accept connections")
///     }
///     supervisor.add("import", running: "nightly-import") { $0.restart = .onFailure }
///     supervisor.start()
///     supervisor.rows.observe { event in show(event.collection.map(\.state)) }
///
/// Each child runs in its own process group, whose rest is killed when the child has ended. The object
/// belongs to the thread of its loop.
///
/// *Disposal*: releasing the supervisor kills the children whose rules say
/// ``ChildRules/endsWithParent``. To let them end by themselves, observe ``stop()`` first.
public final class Supervisor {
  /// A row for each child, in the order in which they were added.
  public var rows: LiveCollection<[ChildRow]> { list.live }
  /// The children, in the order in which they were added.
  public private(set) var children: [SupervisedChild] = []

  /// True while all children are settled, and none is given up.
  public var isReady: ReadOnlyProperty<Bool> { ready.readOnly }

  private let loop: EventLoop
  let guardian: Guardian
  private let list = CollectionProperty<[ChildRow]>()
  private let ready = Property(false)
  private let bag = DisposeBag()
  private var isStarted = false
  private var isStarting = false

  /// Creates a supervisor without children.
  public init(on loop: EventLoop) {
    loop.mustBeCurrent("creating a Supervisor")
    self.loop = loop
    guardian = Guardian(on: loop)
    let guardian = guardian
    bag.add(Disposable { guardian.close() })
  }

  /// Adds a program, found by its path or by its name in `PATH`. The closure changes its rules. If the
  /// supervisor was started, the child is started when those before it are ready. Traps if there is a
  /// child of this name.
  @discardableResult
  public func add(
    _ name: String, running program: String, _ arguments: [String] = [],
    _ change: (inout ChildRules) -> Void = { _ in }
  ) -> SupervisedChild {
    loop.mustBeCurrent("adding a child to a Supervisor")
    require(
      !children.contains { $0.name == name },
      "The supervisor has a child \"\(name)\" already.")
    var rules = ChildRules()
    change(&rules)
    rules.check()
    let child = SupervisedChild(name, program, arguments, rules, on: loop, guardian)
    children.append(child)
    list.append(child.row.value)
    bag.add(Disposable { [weak child] in child?.abandon() })
    child.row.observeNext(weak: self) { [weak child] supervisor, row in
      if let child { supervisor.update(child, row) }
    }.disposed(by: bag)
    return child
  }

  /// Ends a child, and removes it.
  ///
  /// *Events*: starts when it is observed, and completes when the process has ended.
  public func remove(_ child: SupervisedChild) -> Completable<Never> {
    child.stop().andThen(
      .deferred { [self] in
        child.abandon()
        guard let index = children.firstIndex(where: { $0 === child }) else { return .completed }
        children.remove(at: index)
        list.remove(at: index)
        startNext()
        return .completed
      })
  }

  /// Starts the children that do not run, in the order in which they were added. Each is started when
  /// those before it are ready, have ended, or are given up.
  public func start() {
    loop.mustBeCurrent("starting a Supervisor")
    isStarted = true
    for child in children { child.prepare() }
    startNext()
  }

  private func update(_ child: SupervisedChild, _ row: ChildRow) {
    guard let index = children.firstIndex(where: { $0 === child }) else { return }
    if list[index] != row { list[index] = row }
    let isReady = list.value.allSatisfy { $0.state == .running || $0.state == .ended }
    if isReady != ready.value { ready.value = isReady }
    startNext()
  }

  /// Starts the next children whose turn has come. Their rows change meanwhile.
  private func startNext() {
    guard isStarted, !isStarting else { return }
    isStarting = true
    defer { isStarting = false }
    var index = 0
    while isStarted, index < children.count {
      let child = children[index]
      if child.isWaiting { child.start() }
      guard child.isSettled else { return }
      index += 1
    }
  }

  /// Ends the children, the last added first. Each is asked to end when those after it have ended.
  ///
  ///     let supervisor = Supervisor(on: .main)
  ///     supervisor.stop().observe(completed: { show("All children have ended.") })
  ///
  /// *Events*: starts when it is observed, and completes when all processes have ended, or when
  /// ``start()`` was called meanwhile.
  public func stop() -> Completable<Never> {
    .deferred { [self] in
      loop.mustBeCurrent("stopping a Supervisor")
      isStarted = false
      return stopAll()
    }
  }

  private func stopAll() -> Completable<Never> {
    Completable.concat(
      children.reversed().map { child in
        .deferred { [self] in isStarted ? .completed : child.stop() }
      }
    ).andThen(
      .deferred { [self] in
        // Somebody may have started a child meanwhile.
        !isStarted && children.contains { $0.isActive } ? stopAll() : .completed
      })
  }
}

extension Metrics {
  /// Adds numbers about the children of a supervisor, by their names: whether they are ready
  /// (`runnel_child_ready`), and how often they were started again (`runnel_child_restarts_total`).
  public func add(_ supervisor: Supervisor) {
    let ready = gauges("runnel_child_ready", "1 while the child is ready.", by: "child")
    let restarts = counters(
      "runnel_child_restarts_total", "Starts of the child after the first one.", by: "child")
    supervisor.rows.observe { event in
      for row in event.collection {
        ready[row.name].value = row.state == .running ? 1 : 0
        let count = restarts[row.name]
        count.increment(by: max(row.restartCount - count.value, 0))
      }
    }
  }
}
