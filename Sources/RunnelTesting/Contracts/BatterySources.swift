import RunnelStreams

/// The check that a source is released as soon as it has ended.
extension Battery {
  /// C5, C9: an operator that continues after its source has ended retains neither the source nor
  /// the captures of its closures.
  func checkSourceRelease(_ script: ContractScript) {
    guard script.ends && !traits.contains(.observesAgain) else { return }
    let trial = Run()
    weak var captured: Captured?
    do {
      let capture = Captured()
      captured = capture
      let source = trial.source(script).map { element in
        withExtendedLifetime(capture) { element }
      }
      trial.observe(operation(source, trial.makeProbe()))
    }
    // Check after each tick, because an operator such as `delay` continues only for a moment.
    for _ in 0..<20 {
      if trial.starts > 0 && trial.observers == 0 && captured != nil {
        report(9, "the source is still retained after its end", script)
      }
      trial.scheduler.advance(ticks: 1)
    }
    trial.dispose()
  }
}

/// An object that the closures of a source capture.
private final class Captured {}
