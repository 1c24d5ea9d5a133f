import RunnelStreams

/// The checks that disposal and the end release everything.
extension Battery {
  /// C4: after disposal within the n-th event, no event arrives and no closure runs.
  func checkDisposalInEvents(_ script: ContractScript) {
    for moment in 1...8 {
      let trial = Run()
      trial.onEvent = { trial in
        if trial.events == moment { trial.dispose() }
      }
      trial.observe(script, operation)
      finish(trial, "event \(moment)", script)
    }
  }

  /// C4: the same after disposal within one of the operator's own closures.
  func checkDisposalInClosures(_ script: ContractScript) {
    for moment in 1...6 {
      let trial = Run()
      var touches = 0
      trial.onTouch = { trial in
        touches += 1
        if touches == moment { trial.dispose() }
      }
      trial.observe(script, operation)
      finish(trial, "closure call \(moment)", script)
    }
  }

  private func finish(_ trial: Run, _ moment: String, _ script: ContractScript) {
    trial.scheduler.advance(ticks: 100)
    trial.push.next(trial.element())
    report(trial, script)
    if trial.callsAfterDisposal > 0 {
      report(4, "a closure ran after dispose() in \(moment)", script)
    }
    if trial.isDisposed { checkNothingLeft(trial, 4, "after dispose() in \(moment)", script) }
    trial.dispose()
  }

  /// C4: the same after disposal before the first event, and for an observation that is already
  /// disposed.
  func checkDisposalBeforeEvents(_ script: ContractScript) {
    let trial = Run()
    trial.observe(script, operation)
    trial.dispose()
    checkNothingLeft(trial, 4, "after dispose() before any time passed", script)
    trial.scheduler.advance(ticks: 100)
    trial.push.next(trial.element())
    report(trial, script)
    let late = Run()
    late.dispose()
    late.observe(script, operation)
    checkNothingLeft(late, 4, "after dispose() before the observation", script)
    late.scheduler.advance(ticks: 100)
    late.push.next(late.element())
    report(late, script)
  }

  /// C4, C5: the end releases everything, and so does disposal. The end is delivered before the
  /// source is torn down.
  func checkRelease(_ script: ContractScript) {
    let trial = Run()
    trial.observe(script, operation)
    trial.scheduler.advance(ticks: 100)
    if trial.ending != nil { checkNothingLeft(trial, 5, "after the end", script) }
    if trial.ending?.isAfterTeardown == true && !traits.contains(.outlivesSource) {
      report(5, "the source was torn down before the end was delivered", script)
    }
    trial.dispose()
    checkNothingLeft(trial, 4, "after dispose()", script)
  }

  /// C9: observations and subjects that the operator creates are released with it.
  func checkResources(_ script: ContractScript) {
    func runs(for ticks: Int) -> [String] {
      Resources.tracking { resources in
        do {
          let trial = Run()
          trial.observe(script, operation)
          trial.scheduler.advance(ticks: ticks)
          trial.dispose()
        }
        return resources.names
      }
    }
    for (ticks, moment) in [(3, "dispose()"), (100, "the end")] {
      let names = runs(for: ticks)
      if !names.isEmpty { report(9, "not released after \(moment): \(names)", script) }
    }
  }

  func checkNothingLeft(_ trial: Run, _ contract: Int, _ moment: String, _ place: some Any) {
    if trial.observers > 0 { report(contract, "the source is still observed \(moment)", place) }
    if trial.innerObservers > 0 {
      report(contract, "an inner stream is still observed \(moment)", place)
    }
    if trial.push.isObserved { report(contract, "the subject is still observed \(moment)", place) }
    if trial.scheduler.pending > 0 {
      report(contract, "a timer is still scheduled \(moment)", place)
    }
    if trial.probe != nil { report(contract, "a closure is still retained \(moment)", place) }
    if trial.census.alive > 0 { report(contract, "elements are still retained \(moment)", place) }
  }
}
