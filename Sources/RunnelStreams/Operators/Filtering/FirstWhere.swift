extension StreamProtocol {
  /// Sends the first element that satisfies a condition, then completes.
  ///
  ///     source                     --1--2--3--4--|
  ///     first(where: { $0 > 2 })   --------3|
  ///
  ///     progress.first(where: { $0 == 1 }).observe(succeeded: { _ in print("done") })
  ///
  /// *Events*: if no element satisfies the condition, the result completes without one. An error
  /// thrown by the closure fails it. For the first element without a condition, use `take(1)`.
  @inlinable
  public func first(
    where isWanted: @escaping (Element) throws(Failure) -> Bool
  ) -> Maybe<Element, Failure> {
    let source = link
    let stream = EventStream<Element, Failure>.unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      source.start(
        stopper.observer { element in
          do throws(Failure) {
            if try isWanted(element) { stopper.end(.completed, after: element) }
          } catch {
            stopper.end(.failed(error))
          }
        })
    }
    return Maybe(trusting: stream)
  }
}
