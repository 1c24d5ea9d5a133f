import RunnelCollections
import RunnelLoop
import RunnelStreams

/// Keeps programs running: it starts them in order, starts them again when they fail, logs what they
/// write, and ends them in the opposite order.
///
///     let supervisor = Supervisor(on: .main)
///     supervisor.add("database", "redis-server", ["--port", "7001"]) { rules in
///       rules.readiness = .line(containing: "Ready to accept connections")
///     }
///     supervisor.add("import", "nightly-import") { $0.restart = .onFailure }
///     supervisor.start()
///     supervisor.rows.observe { event in show(event.collection.map(\.state)) }
///
/// Each child runs in its own process group. What remains of the group is killed when the child has
/// ended. The object belongs to the thread of its loop.
///
/// *Disposal*: releasing the supervisor kills the children whose rules say
/// ``ChildRules/endsWithParent``. To let them end by themselves, observe ``stop()`` first.
public final class Supervisor {
  /// A row for each child, in the order in which they were added.
  public var rows: LiveCollection<[ChildRow]> { list.live }
  /// The children, in the order in which they were added.
  public private(set) var children: [SupervisedChild] = []

  private let loop: EventLoop
  let guardian: ParentGuard
  private let list = CollectionProperty<[ChildRow]>()
  private let observations = DisposeBag()
  private var isStarted = false

  /// Creates a supervisor without children.
  public init(on loop: EventLoop) {
    self.loop = loop
    guardian = ParentGuard(on: loop)
  }

  /// Adds a program, found by its path or by its name in `PATH`. The closure changes its rules. If the
  /// supervisor was started, the child is started when those before it are ready.
  @discardableResult
  public func add(
    _ name: String, _ program: String, _ arguments: [String] = [],
    _ change: (inout ChildRules) -> Void = { _ in }
  ) -> SupervisedChild {
    loop.mustBeCurrent("adding a child to a Supervisor")
    var rules = ChildRules()
    change(&rules)
    let child = SupervisedChild(name, program, arguments, rules, on: loop, guardian)
    let index = children.count
    children.append(child)
    list.append(child.current.value)
    child.current.observeNext(weak: self) { supervisor, row in
      if supervisor.list.live[index] != row { supervisor.list[index] = row }
      supervisor.startNext()
    }.disposed(by: observations)
    return child
  }

  /// Starts the children that do not run, in the order in which they were added. Each is started when those before it
  /// are ready, have ended, or are given up.
  public func start() {
    loop.mustBeCurrent("starting a Supervisor")
    isStarted = true
    for child in children { child.wait() }
    startNext()
  }

  private func startNext() {
    guard isStarted else { return }
    for child in children {
      if child.current.value.state == .waiting { return child.start() }
      guard child.isSettled else { return }
    }
  }

  /// Ends the children, the last added first. Each is asked to end when those after it have ended.
  ///
  ///     let supervisor = Supervisor(on: .main)
  ///     supervisor.stop().observe(completed: { show("All children have ended.") })
  ///
  /// *Events*: starts when it is observed, and completes when all processes have ended.
  public func stop() -> Completable<Never> {
    .deferred { [self] in
      isStarted = false
      return .concat(children.reversed().map { child in .deferred { child.stop() } })
    }
  }
}

extension Metrics {
  /// Adds numbers about the children of a supervisor, by their names: whether they are ready
  /// (`runnel_child_ready`), and how often they were started again (`runnel_child_restarts`).
  public func add(_ supervisor: Supervisor) {
    let ready = gauges("runnel_child_ready", "1 while the child is ready.", by: "child")
    let restarts = gauges(
      "runnel_child_restarts", "The number of times that the child was started again.", by: "child")
    supervisor.rows.observe { event in
      for row in event.collection {
        ready[row.name].value = row.state == .running ? 1 : 0
        restarts[row.name].value = Double(row.restartCount)
      }
    }
  }
}
