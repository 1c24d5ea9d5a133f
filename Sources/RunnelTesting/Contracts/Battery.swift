import RunnelStreams

/// The checks behind ``contractViolations(_:of:)``, one function for each contract.
final class Battery<Output, Failure: Error> {
  typealias Operation = (EventStream<ContractElement, ContractFailure>, ContractProbe) ->
    EventStream<Output, Failure>
  typealias Run = Trial<Output, Failure>

  private let traits: ContractTraits
  private let operation: Operation
  private(set) var violations: [ContractViolation] = []

  init(traits: ContractTraits, operation: @escaping Operation) {
    self.traits = traits
    self.operation = operation
  }

  func run() {
    for script in ContractScript.allCases {
      checkGrammar(script)
      checkReentrancy(script)
      checkDisposalInEvents(script)
      checkDisposalInClosures(script)
      checkRelease(script)
    }
    checkCold()
    checkSynchrony()
    checkEarlyStop()
    checkMemory()
  }

  private func report(_ contract: Int, _ message: String, _ script: ContractScript) {
    violations.append(ContractViolation(contract: contract, message: "\(message) (\(script))"))
  }

  private func report(_ trial: Run, _ script: ContractScript) {
    for (contract, message) in trial.faults { report(contract, message, script) }
  }

  /// C1, C10: next* (failed | completed)?, and a failure arrives.
  private func checkGrammar(_ script: ContractScript) {
    let trial = Run()
    trial.observe(script, operation)
    trial.scheduler.advance(ticks: 100)
    report(trial, script)
    if script.failure && !traits.contains(.handlesFailure) && !trial.ended {
      report(10, "the failure of the source was lost", script)
    }
    trial.dispose()
  }

  /// C2: what is sent from within an event waits; two runs see the same order.
  private func checkReentrancy(_ script: ContractScript) {
    let trial = Run()
    var budget = 8
    trial.onEvent = { trial in
      guard budget > 0 else { return }
      budget -= 1
      if budget == 0 { trial.push.completed() } else { trial.push.next(trial.element()) }
    }
    trial.observe(script, operation)
    trial.scheduler.advance(ticks: 100)
    report(trial, script)
    trial.dispose()
  }

  /// C4: disposed within its n-th event, nothing more arrives and no closure runs.
  private func checkDisposalInEvents(_ script: ContractScript) {
    for moment in 1...8 {
      let trial = Run()
      trial.onEvent = { trial in
        if trial.events == moment { trial.dispose() }
      }
      trial.observe(script, operation)
      trial.scheduler.advance(ticks: 100)
      trial.push.next(trial.element())
      report(trial, script)
      if trial.callsAfterDisposal > 0 {
        report(4, "a closure ran after dispose() in event \(moment)", script)
      }
      if trial.isDisposed {
        checkNothingLeft(trial, 4, "after dispose() in event \(moment)", script)
      }
      trial.dispose()
    }
  }

  /// C4: disposed within one of the operator's own closures.
  private func checkDisposalInClosures(_ script: ContractScript) {
    for moment in 1...6 {
      let trial = Run()
      var touches = 0
      trial.observeTouching(script, operation) { trial in
        touches += 1
        if touches == moment { trial.dispose() }
      }
      trial.scheduler.advance(ticks: 100)
      trial.push.next(trial.element())
      report(trial, script)
      if trial.callsAfterDisposal > 0 {
        report(4, "a closure ran after dispose() in closure call \(moment)", script)
      }
      if trial.isDisposed {
        checkNothingLeft(trial, 4, "after dispose() in closure call \(moment)", script)
      }
      trial.dispose()
    }
  }

  /// C4, C5: what was held is let go of, after the end by itself, else on disposal.
  private func checkRelease(_ script: ContractScript) {
    let trial = Run()
    trial.observe(script, operation)
    trial.scheduler.advance(ticks: 3)
    trial.scheduler.advance(ticks: 100)
    if trial.ended { checkNothingLeft(trial, 5, "after the end", script) }
    if trial.log.last == "torn down first" && !traits.contains(.outlivesSource) {
      report(5, "the source was torn down before the end was delivered", script)
    }
    trial.dispose()
    checkNothingLeft(trial, 4, "after dispose()", script)
  }

  private func checkNothingLeft(
    _ trial: Run, _ contract: Int, _ moment: String, _ script: ContractScript
  ) {
    if trial.observers > 0 { report(contract, "the source is still observed \(moment)", script) }
    if trial.push.isObserved { report(contract, "the subject is still observed \(moment)", script) }
    if trial.scheduler.pending > 0 { report(contract, "a timer is left \(moment)", script) }
    if trial.probe != nil { report(contract, "a closure is still held \(moment)", script) }
    if trial.census.alive > 0 { report(contract, "elements are still held \(moment)", script) }
  }

  /// C6: nothing happens before it is observed, and each observation is a run of its own.
  private func checkCold() {
    let trial = Run()
    let probe = ContractProbe(scheduler: trial.scheduler)
    let stream = operation(trial.source(.open), probe)
    if trial.starts > 0 { report(6, "the source was observed before the stream was", .open) }
    trial.observe(stream)
    let once = trial.starts
    let second = Run()
    second.observe(stream)
    if !traits.contains(.shared) && trial.starts != 2 * once {
      report(
        6, "two observations observed the source \(trial.starts) times, not \(2 * once)", .open)
    }
    trial.dispose()
    second.dispose()
  }

  /// C7: without time in its name, an operator sends when its source does, and sets no timer.
  private func checkSynchrony() {
    guard !traits.contains(.timed) else { return }
    let trial = Run()
    trial.observe(.synchronous, operation)
    let events = trial.events
    if trial.scheduler.pending > 0 { report(7, "a timer was set", .synchronous) }
    trial.scheduler.advance(ticks: 100)
    if trial.events != events { report(7, "events came later than their cause", .synchronous) }
    trial.dispose()
  }

  /// C8: an endless source stops when the observation is disposed.
  private func checkEarlyStop() {
    guard !traits.contains(.awaitsEnd) else { return }
    let trial = Run()
    let probe = ContractProbe(scheduler: trial.scheduler)
    var sent = 0
    var sentAfterwards = 0
    let endless = EventStream<ContractElement, ContractFailure>.unguarded { observer in
      while observer.isActive && sent < 10_000 {
        sent += 1
        if trial.isDisposed { sentAfterwards += 1 }
        observer.next(trial.element())
      }
    }
    trial.onEvent = { $0.dispose() }
    trial.observe(operation(endless, probe))
    if sentAfterwards > 0 {
      report(8, "an endless source went on for \(sentAfterwards) elements", .synchronous)
    }
    trial.dispose()
  }

  /// C9: a long run keeps no more elements than a short one.
  private func checkMemory() {
    guard !traits.contains(.accumulates) else { return }
    let trial = Run()
    trial.observe(.never, operation)
    trial.dispose()
    let long = Run()
    let probe = ContractProbe(scheduler: long.scheduler)
    long.observe(operation(long.push.stream, probe))
    var alive: [Int] = []
    for _ in 1...3 {
      for _ in 1...500 {
        long.push.next(long.element())
        long.scheduler.advance(ticks: 1)
      }
      alive.append(long.census.alive)
    }
    if alive[2] > alive[0] + 16 {
      report(9, "the number of elements held grew: \(alive)", .open)
    }
    long.dispose()
  }
}

extension Trial {
  /// Observes, and calls back at each touch of the probe.
  func observeTouching(
    _ script: ContractScript,
    _ operation: (EventStream<ContractElement, ContractFailure>, ContractProbe) -> EventStream<
      Output, Failure
    >,
    _ onTouch: @escaping (Trial) -> Void
  ) {
    let probe = ContractProbe(scheduler: scheduler)
    self.probe = probe
    probe.onTouch = { [unowned self] in  // Safety: the trial outlives the probe.
      if isDisposed { callsAfterDisposal += 1 } else { onTouch(self) }
    }
    observe(operation(source(script), probe))
  }
}
