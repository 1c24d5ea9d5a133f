/// The observation of an observer that handles elements only.
///
/// It stores everything that the end handler needs. The handler's closure therefore captures this
/// object only, and needs no allocation of its own.
@usableFromInline
final class ElementObservation: Disposable {
  @usableFromInline let location: SourceLocation

  @inlinable
  init(at location: SourceLocation) {
    self.location = location
    super.init()
  }

  /// Ends the observation, and reports a failure to ``Hooks/unhandledFailure`` (C10).
  @inlinable
  func ended<Failure: Error>(_ termination: Termination<Failure>) {
    guard beginEnding() else { return }
    if case .failed(let error) = termination { Hooks.report(error, observedAt: location) }
    dispose()
  }
}
