import RunnelStreams

/// An action in the `deinit` of an object that the operator releases.
private enum ReleaseAction: CaseIterable {
  /// Sends an element with the subject that feeds the source.
  case sending
  /// Completes that subject.
  case ending
  /// Disposes the observation.
  case disposing
  /// Observes the operator's stream again.
  case observing
}

/// The checks in which elements and captures of closures act in their `deinit`.
extension Battery {
  /// C1, C2, C4: the operator is in a valid state whenever it releases an object.
  func checkReentrantRelease(_ script: ContractScript) {
    for action in ReleaseAction.allCases {
      for moment in 1...4 { checkRelease(script, .brief, action, moment) }
    }
    guard script == .completing else { return }
    for inner in InnerScript.allCases {
      for action in ReleaseAction.allCases {
        for moment in 1...4 { checkRelease(script, inner, action, moment) }
      }
    }
  }

  private func checkRelease(
    _ script: ContractScript, _ inner: InnerScript, _ action: ReleaseAction, _ moment: Int
  ) {
    let trial = Run()
    let second = Run()
    trial.innerScript = inner
    var releases = 0
    func observe() {
      let stream = operation(trial.source(script), trial.makeProbe())
      trial.census.onRelease = { [unowned trial] in
        releases += 1
        guard releases == moment else { return }
        switch action {
        case .sending: trial.push.next(trial.element())
        case .ending: trial.push.completed()
        case .disposing: trial.dispose()
        case .observing: second.observe(stream)
        }
      }
      trial.observe(stream)
    }
    observe()
    trial.scheduler.advance(ticks: 100)
    trial.dispose()
    second.dispose()
    // The closure retains the stream, and with it the closures of the operator.
    release(exchange(&trial.census.onRelease, with: {}))
    let place = "\(script), inner \(inner), \(action) in the deinit of release \(moment)"
    report(trial, place)
    report(second, place)
    checkNothingLeft(trial, 4, "after dispose()", place)
  }
}
