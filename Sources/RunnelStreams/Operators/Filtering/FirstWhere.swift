extension StreamProtocol {
  /// Sends the first element that satisfies a condition, then completes.
  ///
  ///     source                     --1--2--3--4--|
  ///     first(where: { $0 > 2 })   --------3|
  ///
  ///     state.first(where: \.isReady).observeNext { begin(with: $0) }
  ///
  /// *Events*: where the source completes before, it completes without an element. An error thrown
  /// by the closure fails the stream. The first element whatever it is: `take(1)`.
  @inlinable
  public func first(
    where isWanted: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    let source = stream
    return .unguarded { observer in
      let cutoff = Cutoff(before: observer)
      source.start(
        cutoff.observer { element in
          do throws(Failure) {
            if try isWanted(element) { cutoff.end(.completed, after: element) }
          } catch {
            cutoff.end(.failed(error))
          }
        })
    }
  }
}
