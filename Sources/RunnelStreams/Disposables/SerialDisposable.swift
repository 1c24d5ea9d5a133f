/// A place for one disposable at a time: setting the next one disposes the one before.
///
/// What is set after the place itself was disposed is disposed at once.
public final class SerialDisposable: Teardown {
  private var held: Disposable?

  /// Whether it was disposed.
  public private(set) var isDisposed = false

  /// An empty place.
  public init() {}

  /// The disposable that is here now.
  public var current: Disposable? {
    get { held }
    set {
      let previous = held
      held = isDisposed ? nil : newValue
      if previous !== newValue { previous?.dispose() }
      if isDisposed { newValue?.dispose() }
    }
  }

  /// Disposes what is here, and what will be set later.
  public func dispose() {
    isDisposed = true
    current = nil
  }

  /// Disposes it: what it was added to is being disposed.
  public func tearDown() { dispose() }
}
