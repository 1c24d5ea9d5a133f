/// The observation of one who asked for elements only. What the end needs is in it, so the closure
/// that handles the end is this object, and nothing else has to be allocated.
@usableFromInline
final class ElementObservation: Disposable {
  @usableFromInline let location: SourceLocation

  @inlinable
  init(at location: SourceLocation) {
    self.location = location
    super.init()
  }

  /// The stream has ended: nobody asked how, but a failure is not lost (C10).
  @inlinable
  func ended<Failure: Error>(_ termination: Termination<Failure>) {
    guard beginEnding() else { return }
    if case .failed(let error) = termination { Hooks.report(error, observedAt: location) }
    dispose()
  }
}
