import RunnelStreams

/// Checks an operator against the contracts C1–C10, as far as they apply, and says what it broke.
///
///     #expect(contractViolations { source, probe in
///       source.map { probe.touch(); return $0.value }
///     }.isEmpty)
///
/// The operator is run on sources that complete, fail, are empty, endless, synchronous, hot and
/// driven by the clock; it is disposed in every event and in every one of its own closures, sent to
/// while it delivers, and looked at for what it left behind.
///
/// Build the operator from nothing but the source and the probe: what else the closure captures is
/// not released with it.
public func contractViolations<Output, Failure: Error>(
  _ traits: ContractTraits = [],
  of operation:
    @escaping (EventStream<ContractElement, ContractFailure>, ContractProbe) -> EventStream<
      Output, Failure
    >
) -> [ContractViolation] {
  let battery = Battery(traits: traits, operation: operation)
  battery.run()
  return battery.violations
}

/// The sources that an operator is tried on.
enum ContractScript: CaseIterable {
  /// Five elements and completion, while it is being observed.
  case synchronous
  /// Five elements and a failure, while it is being observed.
  case synchronousFailure
  /// Nothing but completion.
  case empty
  /// Nothing but a failure.
  case failing
  /// Five elements a tick apart, then completion.
  case completing
  /// Five elements a tick apart, then a failure.
  case failingLate
  /// Five elements a tick apart, and no end.
  case open
  /// Nothing at all.
  case never

  var failure: Bool {
    switch self {
    case .synchronousFailure, .failing, .failingLate: true
    case .synchronous, .empty, .completing, .open, .never: false
    }
  }

  var ends: Bool {
    switch self {
    case .open, .never: false
    case .synchronous, .synchronousFailure, .empty, .failing, .completing, .failingLate: true
    }
  }
}

/// One run of an operator on one script, with everything about it that can be seen from outside.
final class Trial<Output, Failure: Error> {
  let scheduler = TestScheduler()
  let census = ContractElement.Census()
  let push = Subject<ContractElement, ContractFailure>()
  var observation = Disposable()
  var observers = 0
  var starts = 0
  var teardowns = 0
  var events = 0
  var ended = false
  var depth = 0
  var isDisposed = false
  var callsAfterDisposal = 0
  var faults: [(Int, String)] = []
  var log: [String] = []
  weak var probe: ContractProbe?
  var onEvent: (Trial) -> Void = { _ in }

  private var last = 0

  func element() -> ContractElement {
    last += 1
    return ContractElement(last, in: census)
  }

  func source(_ script: ContractScript) -> EventStream<ContractElement, ContractFailure> {
    .unguarded { [unowned self] observer in  // Safety: the trial outlives all that it starts.
      starts += 1
      observers += 1
      observer.observation.add { [unowned self] in  // Safety: as above.
        observers -= 1
        teardowns += 1
      }
      play(script, observer)
    }
  }

  private func play(
    _ script: ContractScript, _ observer: Observer<ContractElement, ContractFailure>
  ) {
    switch script {
    case .synchronous, .synchronousFailure:
      for _ in 1...5 where observer.isActive { observer.next(element()) }
      if script.failure { observer.failed(ContractFailure()) } else { observer.completed() }
      if observer.isActive { faults.append((8, "the source is still active after its end")) }
    case .empty: observer.completed()
    case .failing: observer.failed(ContractFailure())
    case .completing, .failingLate, .open:
      push.start(observer)
      for tick in 1...5 {
        observer.observation.add(
          scheduler.schedule(after: .seconds(tick)) { [unowned self] in  // Safety: as above.
            push.next(element())
          })
      }
      if script.ends {
        observer.observation.add(
          scheduler.schedule(after: .seconds(6)) { [unowned self] in  // Safety: as above.
            if script.failure { push.failed(ContractFailure()) } else { push.completed() }
            if observer.isActive { faults.append((8, "the source is still active after its end")) }
          })
      }
    case .never: break
    }
  }

  /// Observes without the guard of `observe`, so that the operator's own grammar is seen.
  func observe(
    _ script: ContractScript,
    _ operation: (EventStream<ContractElement, ContractFailure>, ContractProbe) -> EventStream<
      Output, Failure
    >
  ) {
    let probe = ContractProbe(scheduler: scheduler)
    self.probe = probe
    probe.onTouch = { [unowned self] in  // Safety: the trial outlives the probe.
      if isDisposed { callsAfterDisposal += 1 }
    }
    observe(operation(source(script), probe))
  }

  func observe(_ stream: EventStream<Output, Failure>) {
    let observation = observation
    stream.start(
      Observer(
        next: { [unowned self] _ in received("next") },  // Safety: the trial outlives it.
        end: { [unowned self] termination in  // Safety: the trial outlives it.
          switch termination {
          case .completed: received("completed")
          case .failed: received("failed")
          }
          ended = true
          if teardowns > 0 && observers == 0 && starts == 1 { log.append("torn down first") }
          observation.dispose()
        }, observation: observation))
  }

  private func received(_ kind: String) {
    if depth > 0 { faults.append((2, "\(kind) arrived while the observer was handling an event")) }
    if ended { faults.append((1, "\(kind) arrived after the end")) }
    if isDisposed { faults.append((4, "\(kind) arrived after dispose()")) }
    events += 1
    log.append(kind)
    depth += 1
    onEvent(self)
    depth -= 1
  }

  func dispose() {
    isDisposed = true
    observation.dispose()
  }
}
