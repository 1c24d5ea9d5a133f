import RunnelStreams

/// The checks with several observations of one operator, and with inner streams.
extension Battery {
  /// C6: an operator does nothing before it is observed, and each observation runs independently.
  func checkCold() {
    let trial = Run()
    let stream = operation(trial.source(.open), trial.makeProbe())
    if trial.starts > 0 {
      report(6, "the source was observed before the operator", "cold")
    }
    let before = trial.starts
    trial.observe(stream)
    let once = trial.starts - before
    let second = Run()
    second.observe(stream)
    let twice = trial.starts - before
    if !traits.contains(.shared) && twice != 2 * once {
      report(6, "two observations observed the source \(twice) times, not \(2 * once)", "cold")
    }
    trial.dispose()
    second.dispose()
  }

  /// C2, C3, C6: two observers receive the same events, and the first receives each event first.
  func checkTwoObservers() {
    guard checkEqualEvents(areReentrant: false) else { return }
    // A timer of the first observer is due before that of the second. An element that the first
    // observer sends then may replace the one that the second timer was about to send.
    if !traits.contains(.timed) { _ = checkEqualEvents(areReentrant: true) }
  }

  private func checkEqualEvents(areReentrant isReentrant: Bool) -> Bool {
    let trial = Run()
    let observations = [Disposable(), Disposable()]
    var seen: [[String]] = [[], []]
    var budget = isReentrant ? 4 : 0
    var isComplete = false
    func received(_ event: String, _ number: Int) {
      guard isComplete else { return }
      seen[number].append(event)
      if seen[1].count > seen[0].count {
        report(3, "the second observer received \(event) before the first", "two observers")
      }
      guard number == 0, budget > 0 else { return }
      budget -= 1
      trial.push.next(trial.element())
    }
    func observe() {
      let stream = operation(trial.push.stream, trial.makeProbe())
      for (number, observation) in observations.enumerated() {
        stream.start(
          in: observation, next: { received("\($0)", number) }, end: { received("\($0)", number) })
      }
    }
    observe()
    isComplete = true
    for _ in 1...3 {
      trial.push.next(trial.element())
      trial.scheduler.advance(ticks: 1)
    }
    trial.push.completed()
    trial.scheduler.advance(ticks: 100)
    if seen[0] != seen[1] {
      report(
        isReentrant || traits.contains(.shared) ? 2 : 6,
        "two observers received different events: \(seen[0]) and \(seen[1])", "two observers")
    }
    for observation in observations { observation.dispose() }
    checkNothingLeft(trial, 4, "after both observers were disposed", "two observers")
    return seen[0] == seen[1]
  }

  /// C3, C4: when an operator is observed again within its own event, both runs are sound and
  /// release everything.
  func checkObservationInEvent(_ script: ContractScript) {
    let trial = Run()
    let second = Run()
    func observe() {
      let stream = operation(trial.source(script), trial.makeProbe())
      trial.onEvent = { trial in
        if trial.events == 1 { second.observe(stream) }
      }
      trial.observe(stream)
    }
    observe()
    trial.scheduler.advance(ticks: 100)
    trial.onEvent = { _ in }
    report(trial, script)
    report(second, script)
    trial.dispose()
    second.dispose()
    checkNothingLeft(trial, 4, "after dispose() of two observations", script)
  }

  /// C4, C5, C10 for inner streams: their failures arrive, and their observations end.
  func checkInnerStreams() {
    for inner in InnerScript.allCases {
      let trial = Run()
      trial.innerScript = inner
      trial.observe(.completing, operation)
      trial.scheduler.advance(ticks: 100)
      guard trial.innerStarts > 0 else { return }
      let place = "inner \(inner)"
      report(trial, place)
      if inner.failure && trial.ending?.isFailure != true && !traits.contains(.handlesFailure) {
        report(10, "the failure of an inner stream was lost", place)
      }
      if trial.ending != nil { checkNothingLeft(trial, 5, "after the end", place) }
      trial.dispose()
      checkNothingLeft(trial, 4, "after dispose()", place)
      for moment in 1...6 { checkDisposal(in: moment, inner) }
    }
  }

  private func checkDisposal(in moment: Int, _ inner: InnerScript) {
    let trial = Run()
    trial.innerScript = inner
    trial.onEvent = { trial in
      if trial.events == moment { trial.dispose() }
    }
    trial.observe(.completing, operation)
    trial.scheduler.advance(ticks: 100)
    report(trial, "inner \(inner)")
    if trial.isDisposed {
      checkNothingLeft(trial, 4, "after dispose() in event \(moment)", "inner \(inner)")
    }
    trial.dispose()
  }
}
