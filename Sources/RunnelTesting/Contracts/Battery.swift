import RunnelStreams

/// The checks behind ``contractViolations(_:of:)``.
///
/// This file checks which events an operator sends. Other files check released resources, several
/// observations, and reentrant releases.
final class Battery<Output, Failure: Error> {
  typealias Run = Trial<Output, Failure>

  let traits: ContractTraits
  let operation: Run.Operation
  private(set) var violations: [ContractViolation] = []

  init(traits: ContractTraits, operation: @escaping Run.Operation) {
    self.traits = traits
    self.operation = operation
  }

  /// C12 is checked throughout: use of the current scheduler instead of the probe's is a violation.
  func run() {
    let current = UnimplementedScheduler { [unowned self] _ in
      // Safety: the battery outlives its run, and this scheduler never runs an action.
      report(12, "the current scheduler was used instead of the probe's", "at any time")
    }
    Current.with(scheduler: current) { checkAll() }
  }

  private func checkAll() {
    for script in ContractScript.allCases {
      checkGrammar(script)
      checkSilenceAfterEnd(script)
      checkReentrancy(script)
      checkReentrantRelease(script)
      checkDisposalInEvents(script)
      checkDisposalInClosures(script)
      checkDisposalBeforeEvents(script)
      checkRelease(script)
      checkResources(script)
      checkSourceRelease(script)
      checkObservationInEvent(script)
    }
    checkInnerStreams()
    checkCold()
    checkTwoObservers()
    checkSynchrony()
    checkEarlyStop()
    checkMemory()
  }

  func report(_ contract: Int, _ message: String, _ place: some Any) {
    let violation = ContractViolation(contract: contract, message: "\(message) (\(place))")
    if !violations.contains(violation) { violations.append(violation) }
  }

  func report(_ trial: Run, _ place: some Any) {
    for fault in trial.faults { report(fault.contract, fault.message, place) }
  }
}

extension Battery {
  /// C1, C10: the grammar is `next* (failed | completed)?`, and a failure arrives as a failure.
  private func checkGrammar(_ script: ContractScript) {
    let trial = Run()
    trial.observe(script, operation)
    trial.scheduler.advance(ticks: 100)
    report(trial, script)
    if script.failure && !traits.contains(.handlesFailure) {
      if let ending = trial.ending {
        if !ending.isFailure && ending.isWithSource && Failure.self != Never.self {
          report(10, "the failure of the source arrived as a completion", script)
        }
      } else {
        report(10, "the failure of the source was lost", script)
      }
    }
    trial.dispose()
  }

  /// C1: nothing is sent right after the end, where disposal would hide it.
  private func checkSilenceAfterEnd(_ script: ContractScript) {
    let trial = Run()
    trial.staysOpen = true
    trial.observe(script, operation)
    trial.scheduler.advance(ticks: 100)
    report(trial, script)
    trial.dispose()
  }

  /// C2: an event that is sent during an event waits.
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

  /// C7: an untimed operator sends when its source does, and schedules no timer.
  private func checkSynchrony() {
    guard !traits.contains(.timed) else { return }
    let synchronous = Run()
    synchronous.observe(.synchronous, operation)
    checkNothingFollows(synchronous, "synchronous")
    let hot = Run()
    hot.observe(operation(hot.push.stream, hot.makeProbe()))
    for _ in 1...3 { hot.push.next(hot.element()) }
    checkNothingFollows(hot, "hot")
  }

  private func checkNothingFollows(_ trial: Run, _ place: String) {
    let events = trial.events
    if trial.scheduler.pending > 0 { report(7, "a timer was set", place) }
    trial.scheduler.advance(ticks: 100)
    if trial.events != events { report(7, "events came later than their cause", place) }
    trial.dispose()
  }

  /// C8: an endless source stops when the observation is disposed.
  private func checkEarlyStop() {
    guard !traits.contains(.awaitsEnd) else { return }
    let trial = Run()
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
    trial.observe(operation(endless, trial.makeProbe()))
    if sentAfterwards > 0 {
      report(8, "an endless source sent \(sentAfterwards) elements after dispose()", "endless")
    }
    trial.dispose()
  }

  /// C9: a long run keeps no more elements than a short one.
  private func checkMemory() {
    guard !traits.contains(.accumulates) else { return }
    let trial = Run()
    trial.observe(operation(trial.push.stream, trial.makeProbe()))
    var alive: [Int] = []
    for _ in 1...3 {
      for _ in 1...500 {
        trial.push.next(trial.element())
        trial.scheduler.advance(ticks: 1)
      }
      alive.append(trial.census.alive)
    }
    if alive[2] > alive[0] + 16 {
      report(9, "the number of retained elements grew: \(alive)", "long")
    }
    trial.dispose()
  }
}
