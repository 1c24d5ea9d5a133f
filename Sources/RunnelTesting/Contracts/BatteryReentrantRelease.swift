import RunnelStreams

/// What happens in the `deinit` of something that the operator releases.
private enum ReleaseAction: CaseIterable {
  /// The subject that feeds the source sends an element.
  case sending
  /// That subject completes.
  case ending
  /// The observation is disposed.
  case disposing
  /// The operator's stream is observed once more.
  case observing
}

/// Elements and captures of closures that come back from their `deinit`.
extension Battery {
  /// C1, C2, C4: what the operator releases finds it in order.
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
    // It holds the stream, and with it the closures of the operator.
    release(exchange(&trial.census.onRelease, with: {}))
    let place = "\(script), inner \(inner), \(action) in the deinit of release \(moment)"
    report(trial, place)
    report(second, place)
    checkNothingLeft(trial, 4, "after dispose()", place)
  }
}
