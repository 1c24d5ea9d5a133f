/// Lets an operator end the stream while its source still runs.
///
/// The source gets an observation of its own. When the operator ends the stream, the source is cut
/// off: what it sends from then on goes nowhere (C1), and after the end was delivered it is torn
/// down (C5), also where what comes behind goes on, as `flatMap` does with its inner streams. So an
/// endless source always stops (C8).
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

  /// The observer for the source. Its end is handed on.
  @inlinable
  func observer<Input>(next: @escaping (Input) -> Void) -> Observer<Input, Failure> {
    Observer(next: next, end: { end($0) }, heldByEnd: upstream)
  }

  /// The observer for a source that cannot fail, where the stream can.
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
  /// An output that lets go of its sources when it has delivered the end (C5), also where what
  /// comes behind goes on.
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
