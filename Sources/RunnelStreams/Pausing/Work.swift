/// The asynchronous work of the inner streams of an operator that observes a limited number of them.
///
/// While such work is in progress, an inner stream goes on without the source, so the source may
/// wait. Otherwise an inner stream may wait for an element of the same source, which therefore does
/// not wait.
@usableFromInline
package final class Work {
  private let outer: Work?
  private var count = 0
  /// The number of changes in progress that may begin and end pieces of work.
  private var changes = 0
  private let held = HeldSources()

  private init(in outer: Work?) {
    self.outer = outer
  }

  /// Creates the work of an operator that is observed now, perhaps in an inner stream of another one.
  @usableFromInline
  static func forObservation() -> Work { Work(in: Delivery.work) }

  /// Pauses the source that delivers now, if work is in progress.
  func hold() {
    if count > 0, let source = Delivery.source { held.hold(source) }
  }

  @usableFromInline
  func resumeSources() {
    held.resumeAll()
  }

  /// Announces that an inner stream has ended and others may start.
  @usableFromInline
  func beginChange() {
    changes += 1
  }

  /// Resumes the sources if there is room, or if no work is in progress.
  @usableFromInline
  func endChange(hasRoom: Bool) {
    changes -= 1
    if changes == 0 && (hasRoom || count == 0) { held.resumeAll() }
  }

  private func begin() {
    count += 1
    outer?.begin()
  }

  private func end() {
    count -= 1
    if count == 0 && changes == 0 { held.resumeAll() }
    outer?.end()
  }

  /// One piece of work in progress. What it leads to belongs to the same operator.
  package final class Piece: Teardown {
    private var work: Work?

    /// Begins a piece of work; nil if it belongs to no operator.
    package static func begin() -> Piece? { Delivery.work.map { Piece($0) } }

    private init(_ work: Work) {
      self.work = work
      work.begin()
    }

    /// Runs a closure that handles a result.
    package func deliver(_ body: () -> Void) {
      let outer = Delivery.setWork(work)
      body()
      _ = Delivery.setWork(outer)
    }

    /// Ends the piece.
    package func tearDown() {
      work.take()?.end()
    }
  }
}

extension Work.Piece? {
  /// Runs a closure that handles a result.
  package func deliver(_ body: () -> Void) {
    if let self { self.deliver(body) } else { body() }
  }
}
