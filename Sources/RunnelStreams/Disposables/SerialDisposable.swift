/// A holder of one disposable at a time. Setting another one disposes the previous one.
///
/// A disposable that is set after the holder was disposed is disposed at once.
public final class SerialDisposable: Teardown {
  private var held: Disposable?

  /// True after ``dispose()``.
  public private(set) var isDisposed = false

  /// Creates an empty holder.
  public init() {}

  /// The disposable that is held.
  public var current: Disposable? {
    get { held }
    set {
      let previous = held
      held = isDisposed ? nil : newValue
      if previous !== newValue { previous?.dispose() }
      if isDisposed { newValue?.dispose() }
    }
  }

  /// Disposes the current disposable, and every one that is set later.
  public func dispose() {
    isDisposed = true
    current = nil
  }

  /// Disposes the holder together with its owner.
  public func tearDown() { dispose() }
}
