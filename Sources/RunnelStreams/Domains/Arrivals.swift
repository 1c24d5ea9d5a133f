import Synchronization

/// Where the events of a crossing come home to: it may be held and sent to anywhere, and what it
/// sends on to is only touched and released on the context of the observer.
// Safety: `outlet` is only touched on `home`; the deinit hands it over to be released there.
final class Arrivals<Element: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  private let home: any ExecutionContext
  private var outlet: Outlet<Element, Failure>?
  private let cancelled = Atomic(false)

  /// The arrivals of an observer on the context that it lives on; they end with its observation.
  init(_ observer: Observer<Element, Failure>, at home: any ExecutionContext) {
    self.home = home
    outlet = Outlet(observer)
    observer.observation.add(self)
  }

  deinit {
    home.letGo(&outlet)
  }

  /// Whether the observation is over, so that work for it is work for nothing.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Sends an element home.
  func next(_ element: Element) {
    home.execute { self.outlet?.next(element) }
  }

  /// Sends the end home.
  func end(_ termination: Termination<Failure>) {
    home.execute { self.outlet?.end(termination) }
  }

  /// Sends the only element home, and completion with it.
  func complete(with element: Element) {
    home.execute {
      self.outlet?.next(element)
      self.outlet?.end(.completed)
    }
  }

  /// Sends the only element, and completion with it: at once where the caller is at home.
  func completeSoon(with element: Element) {
    guard home.isCurrent else { return complete(with: element) }
    outlet?.next(element)
    outlet?.end(.completed)
  }

  /// Sends an element home and waits until it was handled there. False if it never will be.
  func handOver(_ element: Element) async -> Bool {
    await withCheckedContinuation { continuation in
      let receipt = Receipt(continuation)
      home.execute {
        self.outlet?.next(element)
        receipt.sign(self.outlet != nil)
      }
    }
  }

  /// Lets go of the observer. At home, at the end of its observation.
  func tearDown() {
    cancelled.store(true, ordering: .releasing)
    outlet = nil
  }
}

/// Resumes its continuation when it is signed, or when it is released because nobody will.
private final class Receipt: Sendable {
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
