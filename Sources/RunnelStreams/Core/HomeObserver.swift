import Synchronization

/// An observer that any thread can send to. The observer behind it is only used and released on its
/// own context.
// Safety: the contents of `homeOutput` are only used on `home`, except for an atomic flag. The
// deinit hands the object to `home`, where it is released.
package final class HomeObserver<Element, Failure: Error>: @unchecked Sendable {
  private let home: any ExecutionContext
  private var homeOutput: HomeOutput<Element, Failure>?

  /// Creates an observer that sends to `observer` on its context, until its observation ends.
  /// `isWork` is true if the events are the result of asynchronous work.
  package init(
    _ observer: Observer<Element, Failure>, at home: any ExecutionContext, isWork: Bool = false
  ) {
    self.home = home
    let homeOutput = HomeOutput(observer, isWork ? .begin() : nil)
    self.homeOutput = homeOutput
    observer.observation.add(homeOutput)
  }

  deinit {
    // No more events can arrive. The output and the observation reference each other; this breaks
    // the cycle.
    home.letGo(&homeOutput, closing: { $0.releaseOutput() })
  }

  /// True if the observation is over, so that work for it is unnecessary.
  package var isCancelled: Bool { homeOutput?.isCancelled.load(ordering: .acquiring) ?? true }

  /// True if the calling code runs on the observer's context. Always false for an actor, which has
  /// no thread of its own.
  package var isHome: Bool { home.isCurrent }

  /// Sends an element at once. It need not be `Sendable`, because the caller must be on the
  /// observer's context.
  package func nextAtHome(_ element: Element) {
    homeOutput?.next(element)
  }
}

extension HomeObserver where Element: Sendable {
  /// Sends an element on the observer's context, later.
  func next(_ element: Element) {
    home.execute { self.nextAtHome(element) }
  }

  /// Sends an element: at once if the caller is on the observer's context, otherwise later.
  package func nextSoon(_ element: Element) {
    if isHome { nextAtHome(element) } else { next(element) }
  }

  /// Sends the end on the observer's context, later.
  package func end(_ termination: Termination<Failure>) {
    home.execute { self.homeOutput?.end(termination) }
  }

  /// Sends one element and completion on the observer's context, later.
  package func complete(with element: Element) {
    home.execute { self.completeAtHome(with: element) }
  }

  /// Sends one element and completion: at once if the caller is on the observer's context,
  /// otherwise later.
  func completeSoon(with element: Element) {
    if isHome { completeAtHome(with: element) } else { complete(with: element) }
  }

  private func completeAtHome(with element: Element) {
    homeOutput?.next(element)
    homeOutput?.end(.completed)
  }

  /// Sends an element, and waits until the observer has handled it and no place after it is full.
  /// Returns false if the observer never will.
  func handOver(_ element: Element) async -> Bool {
    await withCheckedContinuation { continuation in
      let receipt = Acknowledgement(continuation)
      home.execute { self.homeOutput?.take(element, receipt) }
    }
  }
}

/// The part of a ``HomeObserver`` that belongs to the observer's context.
private final class HomeOutput<Element, Failure: Error>: Teardown, PausableSource {
  private(set) var output: SerializedObserver<Element, Failure>?
  let isCancelled = Atomic(false)
  private let work: Work.Piece?
  private var pauses = 0
  /// The receipt for the last element, while a place after the observer is full.
  private var owed: Acknowledgement?

  init(_ observer: Observer<Element, Failure>, _ work: Work.Piece?) {
    output = SerializedObserver(observer)
    self.work = work
  }

  func next(_ element: Element) {
    if let output { work.deliver { output.next(element) } }
  }

  func end(_ termination: Termination<Failure>) {
    if let output { work.deliver { output.end(termination) } }
  }

  /// Sends an element whose sender waits for a receipt.
  func take(_ element: Element, _ receipt: Acknowledgement) {
    Delivery.from(self) { next(element) }
    if pauses > 0 && output != nil { owed = receipt } else { receipt.sign(output != nil) }
  }

  func pause() {
    pauses += 1
  }

  func resume() {
    pauses -= 1
    if pauses == 0 { owed.take()?.sign(output != nil) }
  }

  func tearDown() {
    isCancelled.store(true, ordering: .releasing)
    releaseOutput()
  }

  func releaseOutput() {
    work?.tearDown()
    owed = nil
    release(exchange(&output, with: nil))
  }
}

/// Resumes its continuation when it is signed, or with false when it is released without that.
private final class Acknowledgement: Sendable {
  private let continuation: Monitor<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Monitor(continuation)
  }

  deinit {
    sign(false)
  }

  func sign(_ isWanted: Bool) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: isWanted)
  }
}
