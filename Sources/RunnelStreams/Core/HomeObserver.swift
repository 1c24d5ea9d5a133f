import Synchronization

/// Where the events of a crossing come home to: it may be held and sent to anywhere, and what it
/// sends on to is only touched and released on the context of the observer.
// Safety: what `landing` leads to is only touched on `home`, but for an atomic; the deinit hands it
// over to be released there.
package final class HomeObserver<Element, Failure: Error>: @unchecked Sendable {
  private let home: any ExecutionContext
  private var homeOutput: HomeOutput<Element, Failure>?

  /// The arrivals of an observer on the context that it lives on; they end with its observation.
  package init(_ observer: Observer<Element, Failure>, at home: any ExecutionContext) {
    self.home = home
    let homeOutput = HomeOutput(observer)
    self.homeOutput = homeOutput
    observer.observation.add(homeOutput)
  }

  deinit {
    // Nothing comes any more: the landing and the observation, which hold each other, are let go.
    home.letGo(&homeOutput, closing: { $0.output = nil })
  }

  /// Whether the observation is over, so that work for it is work for nothing.
  package var isCancelled: Bool { homeOutput?.isCancelled.load(ordering: .acquiring) ?? true }

  /// Whether the calling code is at home. An actor has no thread to tell it by.
  package var isHome: Bool { home.isCurrent }

  /// Sends an element at once, which need not be `Sendable`: the caller is at home.
  package func nextAtHome(_ element: Element) {
    homeOutput?.output?.next(element)
  }
}

extension HomeObserver where Element: Sendable {
  /// Sends an element home.
  func next(_ element: Element) {
    home.execute { self.nextAtHome(element) }
  }

  /// Sends an element: at once where the caller is at home.
  package func nextSoon(_ element: Element) {
    if isHome { nextAtHome(element) } else { next(element) }
  }

  /// Sends the end home.
  package func end(_ termination: Termination<Failure>) {
    home.execute { self.homeOutput?.output?.end(termination) }
  }

  /// Sends the only element home, and completion with it.
  package func complete(with element: Element) {
    home.execute { self.completeAtHome(with: element) }
  }

  /// Sends the only element, and completion with it: at once where the caller is at home.
  func completeSoon(with element: Element) {
    if isHome { completeAtHome(with: element) } else { complete(with: element) }
  }

  private func completeAtHome(with element: Element) {
    homeOutput?.output?.next(element)
    homeOutput?.output?.end(.completed)
  }

  /// Sends an element home and waits until it was handled there. False if it never will be.
  func handOver(_ element: Element) async -> Bool {
    await withCheckedContinuation { continuation in
      let receipt = Acknowledgement(continuation)
      home.execute {
        self.homeOutput?.output?.next(element)
        receipt.sign(self.homeOutput?.output != nil)
      }
    }
  }
}

/// What arrivals own at home.
private final class HomeOutput<Element, Failure: Error>: Teardown {
  var output: SerializedObserver<Element, Failure>?
  let isCancelled = Atomic(false)

  init(_ observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
  }

  func tearDown() {
    isCancelled.store(true, ordering: .releasing)
    output = nil
  }
}

/// Resumes its continuation when it is signed, or when it is released because nobody will.
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
