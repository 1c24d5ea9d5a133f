/// The means for an operator to end its stream while its source still runs.
///
/// The source gets an observation of its own. When the operator ends the stream, events from the
/// source are dropped (C1). The source is torn down after the end was delivered (C5), even if the
/// downstream observation continues, as it does for an inner stream of `flatMap`. An endless source
/// therefore always stops (C8).
@usableFromInline
struct SourceStopper<Element, Failure: Error> {
  @usableFromInline let downstream: Observer<Element, Failure>
  @usableFromInline let upstream: Disposable

  @inlinable
  init(before downstream: Observer<Element, Failure>) {
    self.downstream = downstream
    upstream = Disposable()
    downstream.observation.add(upstream)
  }

  /// Creates the observer for the source. It forwards the end.
  @inlinable
  func observer<Input>(next: @escaping (Input) -> Void) -> Observer<Input, Failure> {
    Observer(next: next, end: { end($0) }, heldByEnd: upstream)
  }

  /// Creates the observer for a source that cannot fail, in a stream that can.
  @inlinable
  func unfailingObserver<Input>(next: @escaping (Input) -> Void) -> Observer<Input, Never> {
    Observer(next: next, end: { _ in end(.completed) }, heldByEnd: upstream)
  }

  /// Ends the stream, after a last element if there is one.
  @inlinable
  func end(_ termination: Termination<Failure>, after last: Element? = nil) {
    guard upstream.beginEnding() else { return }
    if let last { downstream.next(last) }
    downstream.end(termination)
    upstream.dispose()
  }
}

extension SerializedObserver {
  /// Creates a serialised observer that disposes its sources after it has delivered the end (C5),
  /// even if the downstream observation continues.
  @inlinable
  convenience init(_ downstream: Observer<Element, Failure>, releasing upstream: Disposable) {
    downstream.observation.add(upstream)
    self.init(
      Observer(
        next: downstream.onNext,
        end: { termination in
          downstream.end(termination)
          upstream.dispose()
        }, heldByEnd: downstream.observation))
  }
}
