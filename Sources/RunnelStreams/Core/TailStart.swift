extension EventStream {
  /// Starts the stream for an operator that does more work afterwards: streams in tail position start
  /// before this returns.
  @inlinable
  func startCompletely(_ observer: Observer<Element, Failure>) {
    let observation = observer.observation
    let postpones = observation.postponesTailStart
    observation.postponesTailStart = false
    start(observer)
    observation.postponesTailStart = postpones
  }

  /// Starts the stream as the last step of starting another one, in the same observation.
  ///
  /// If the other stream was itself started by this method, this one starts when the calls between
  /// them have returned. All of these calls start their source as their last statement.
  @inlinable
  func startTail(_ observer: Observer<Element, Failure>) {
    let observation = observer.observation
    if observation.postponesTailStart, let running = observation.tailTrampoline {
      return running.postpone { self.start(observer) }
    }
    let loop = TailTrampoline()
    observation.add(loop)
    observation.postponesTailStart = true
    start(observer)
    loop.runPostponed()
    observation.postponesTailStart = false
    observation.detach(loop)
  }
}
