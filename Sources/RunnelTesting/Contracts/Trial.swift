import RunnelStreams

/// One run of an operator on one script, with a record of its visible behaviour.
final class Trial<Output, Failure: Error> {
  typealias Operation = (EventStream<ContractElement, ContractFailure>, ContractProbe) ->
    EventStream<Output, Failure>

  let scheduler = TestScheduler()
  let census = ContractElement.Census()
  let push = Subject<ContractElement, ContractFailure>()
  let observation = Disposable()

  /// The numbers of observations of the source: started, active and ended.
  private(set) var starts = 0
  private(set) var observers = 0
  private(set) var teardowns = 0
  /// The numbers of observations of inner streams: started and active.
  private(set) var innerStarts = 0
  private(set) var innerObservers = 0

  private(set) var events = 0
  private(set) var ending: Ending?
  private(set) var isDisposed = false
  private(set) var callsAfterDisposal = 0
  private(set) var faults: [(contract: Int, message: String)] = []
  private(set) weak var probe: ContractProbe?

  var innerScript = InnerScript.brief
  var onEvent: (Trial) -> Void = { _ in }
  /// A callback for each touch of the probe before disposal.
  var onTouch: (Trial) -> Void = { _ in }
  /// True when the observation is not disposed at the end, so that events that an operator sends
  /// afterwards arrive.
  var staysOpen = false

  /// The first end that the operator has sent.
  struct Ending {
    // Flags (3): an operator can fail or complete, while the source ends or at another time, with a
    // source that was torn down or not.
    let isFailure: Bool
    /// True if it was sent while the source sent its own end.
    let isWithSource: Bool
    /// True if the only observation of the source had been torn down.
    let isAfterTeardown: Bool
  }

  private var last = 0
  private var depth = 0
  private var sourceEnds = 0

  func element() -> ContractElement {
    last += 1
    return ContractElement(last, in: census)
  }

  func dispose() {
    isDisposed = true
    observation.dispose()
  }
}

// MARK: - Input of the operator

extension Trial {
  // Safety: for each `unowned self` below, the trial outlives everything that it starts, and closures
  // that a broken operator leaks are never called.

  func source(_ script: ContractScript) -> EventStream<ContractElement, ContractFailure> {
    .unguarded { [unowned self] observer in
      starts += 1
      observers += 1
      observer.observation.add { [unowned self] in
        observers -= 1
        teardowns += 1
      }
      play(script, observer)
    }
  }

  func makeProbe() -> ContractProbe {
    let probe = ContractProbe(
      scheduler: scheduler,
      onTouch: { [unowned self] in
        if isDisposed { callsAfterDisposal += 1 } else { onTouch(self) }
      },
      onRelease: { [census] in census.onRelease() },
      makeInner: { [unowned self] in inner($0) })
    self.probe = probe
    return probe
  }

  private func play(
    _ script: ContractScript, _ observer: Observer<ContractElement, ContractFailure>
  ) {
    switch script {
    case .synchronous, .synchronousFailure:
      for _ in 1...5 where observer.isActive { observer.next(element()) }
      end(observer, observer.end, script)
    case .empty, .failing:
      end(observer, observer.end, script)
    case .completing, .failingLate, .open:
      push.start(observer)
      for tick in 1...5 {
        observer.observation.add(
          scheduler.schedule(after: .seconds(tick)) { [unowned self] in push.next(element()) })
      }
      guard script.ends else { return }
      observer.observation.add(
        scheduler.schedule(after: .seconds(6)) { [unowned self] in end(observer, push.end, script) }
      )
    case .never: break
    }
  }

  private func end(
    _ observer: Observer<ContractElement, ContractFailure>,
    _ end: (Termination<ContractFailure>) -> Void, _ script: ContractScript
  ) {
    sourceEnds += 1
    end(script.failure ? .failed(ContractFailure()) : .completed)
    sourceEnds -= 1
    if observer.isActive && !staysOpen {
      faults.append((8, "the source is still active after its end"))
    }
  }

  private func inner(_ element: ContractElement) -> EventStream<ContractElement, ContractFailure> {
    .unguarded { [unowned self] observer in
      innerStarts += 1
      innerObservers += 1
      observer.observation.add { [unowned self] in innerObservers -= 1 }
      observer.next(element)
      let script = innerScript
      let finish = { [unowned self] in
        if script == .completing { observer.next(self.element()) }
        observer.end(script.failure ? .failed(ContractFailure()) : .completed)
      }
      switch script {
      case .brief, .failing: finish()
      case .completing, .failingLate:
        observer.observation.add(scheduler.schedule(after: .milliseconds(500), finish))
      case .open: break
      }
    }
  }
}

// MARK: - Output of the operator

extension Trial {
  func observe(_ script: ContractScript, _ operation: Operation) {
    observe(operation(source(script), makeProbe()))
  }

  /// Observes a stream without the guard of `observe`, so that the operator's own grammar is
  /// visible.
  func observe(_ stream: EventStream<Output, Failure>) {
    stream.start(
      Observer(
        next: { [unowned self] _ in received("an element", nil) },
        end: { [unowned self] termination in
          switch termination {
          case .completed: received("completion", termination)
          case .failed: received("a failure", termination)
          }
          if !staysOpen { observation.dispose() }
        }, observation: observation))
  }

  private func received(_ kind: String, _ termination: Termination<Failure>?) {
    if let ending {
      // With an open observation, an operator may rely on disposal to suppress a second end and
      // later events, but not an element that it sends while the source ends.
      if !staysOpen || (termination == nil && ending.isWithSource && sourceEnds > 0) {
        faults.append((1, "\(kind) was sent after the end"))
      }
    } else if depth > 0 {
      faults.append((2, "\(kind) arrived while the observer was handling an event"))
    }
    if isDisposed { faults.append((4, "\(kind) arrived after dispose()")) }
    events += 1
    if let termination, ending == nil {
      let isFailure = if case .failed = termination { true } else { false }
      ending = Ending(
        isFailure: isFailure, isWithSource: sourceEnds > 0,
        isAfterTeardown: starts == 1 && observers == 0 && teardowns > 0)
    }
    depth += 1
    onEvent(self)
    depth -= 1
  }
}
