/// A resource that is released when an observation ends.
///
/// A class conforms to this protocol so that the observation can hold the object itself. No closure
/// has to be allocated.
public protocol Teardown: AnyObject {
  /// Releases the resource. Called once, when the observation ends or is disposed.
  func tearDown()
}

/// An observation, or any other work that can be cancelled.
///
/// *Disposal*: when ``dispose()`` returns, no closure of the observation runs again, and the
/// captures of its closures are released (C4). Called inside one of those closures, it releases
/// them when that closure returns. A second call does nothing. Resources are torn down in reverse
/// order of addition. Releasing a disposable does not dispose it: put it in a ``DisposeBag`` for
/// that.
public class Disposable {
  @usableFromInline
  enum State: UInt8 {
    /// Events are delivered.
    case active
    /// The terminal event is being delivered; no other event passes.
    case ending
    /// The observation is over.
    case disposed
  }

  @usableFromInline @exclusivity(unchecked) final var state = State.active
  // Flags (5): three describe the resources, of which any number may be added, nested or abandoned; an
  // observer sets `hasSteps`, and the last stream `postponesTailStart`, whatever the resources are.
  /// True if there may be resources to release. Otherwise disposing only sets the state.
  @usableFromInline @exclusivity(unchecked) final var hasResources = false
  /// True once an observer of this observation passes events through closures of its own. While it is
  /// false for an ``Inner`` stream, the only observer is the one that its engine has made.
  @usableFromInline @exclusivity(unchecked) final var hasSteps = false
  /// True if another disposable may be among the resources.
  @usableFromInline @exclusivity(unchecked) final var isNesting = false
  /// True after a resource was removed because it was released elsewhere.
  @usableFromInline @exclusivity(unchecked) final var wasAbandoned = false
  /// True while the last stream of this observation can be postponed to the loop of its
  /// `tailTrampoline`.
  @usableFromInline @exclusivity(unchecked) final var postponesTailStart = false
  @usableFromInline @exclusivity(unchecked) final var first: (any Teardown)?
  @usableFromInline @exclusivity(unchecked) final var others: [any Teardown] = []
  @usableFromInline @exclusivity(unchecked) final var record: Resources.Record? {
    didSet { hasResources = true }
  }

  /// Creates a disposable without resources.
  @inlinable
  public init() {}

  /// Creates a disposable that runs a closure when it is disposed.
  public init(_ action: @escaping () -> Void) {
    first = Action(action)
    hasResources = true
  }

  init(state: State) {
    self.state = state
    hasSteps = true
  }

  // Safety: it is disposed from the beginning, so nothing ever writes to it.
  nonisolated(unsafe) private static let disposed = Disposable(state: .disposed)

  /// A disposable that is already disposed and holds no resources.
  public static var none: Disposable { disposed }

  /// True if it was disposed, or if the observation has ended.
  @inlinable
  public final var isDisposed: Bool { state == .disposed }

  @inlinable
  final var isActive: Bool { state == .active }

  /// True if the observed object was released and no other resources are left.
  final var isAbandoned: Bool { wasAbandoned && first == nil }

  /// Ends the observation and releases its resources. A second call does nothing.
  @inlinable
  @inline(__always)
  public final func dispose() {
    if state == .disposed { return }
    if hasResources { tearDownAll() } else { state = .disposed }
  }

  /// Adds a resource to release on disposal. If this is disposed already, the resource is released
  /// at once.
  @inlinable
  public final func add(_ teardown: some Teardown) {
    attach(teardown)
  }

  /// Adds another disposable, to be disposed with this one.
  @inlinable
  public final func add(_ disposable: Disposable) {
    if disposable.isDisposed { return }
    isNesting = true
    attach(disposable)
  }

  /// Adds a closure to run on disposal.
  public final func add(_ action: @escaping () -> Void) {
    add(Action(action))
  }

  /// The parameter is consuming, so storing it needs no retain and release.
  @usableFromInline
  final func attach(_ teardown: consuming any Teardown) {
    if state == .disposed {
      teardown.tearDown()
    } else if first == nil {
      first = teardown
      hasResources = true
    } else {
      others.append(teardown)
    }
  }

  /// Removes a resource without releasing it. Does nothing if it is not held.
  @usableFromInline
  final func detach(_ teardown: any Teardown) {
    if first === teardown {
      first = others.isEmpty ? nil : others.removeFirst()
    } else if let index = others.lastIndex(where: { $0 === teardown }) {
      others.remove(at: index)
    }
  }

  /// Removes a resource that is about to be released by its owner.
  final func abandon(_ teardown: any Teardown) {
    detach(teardown)
    wasAbandoned = true
  }

  /// The innermost loop that starts the last streams of this observation.
  @usableFromInline
  final var tailTrampoline: TailTrampoline? {
    others.last { $0 is TailTrampoline } as? TailTrampoline ?? first as? TailTrampoline
  }

  /// Begins the end of the observation: only the terminal event may still be delivered. Returns
  /// false if the end has begun before.
  @inlinable
  final func beginEnding() -> Bool {
    if state != .active { return false }
    state = .ending
    return true
  }

  /// Makes a disposed object usable again. Only for a caller that has the only reference.
  @inlinable
  final func reactivate() {
    state = .active
    hasSteps = false
  }

  /// Releases all resources. Overridden by subclasses that are a disposable and its resource in
  /// one. These also override `isPlain`.
  @usableFromInline
  func tearDownAll() {
    if isNesting { return tearDownNested() }
    becomeDisposed()
    let earliest = first.take()
    if !others.isEmpty {
      let others = others
      self.others = []
      for teardown in others.reversed() { teardown.tearDown() }
    }
    // Consumed, because the call would retain it otherwise.
    if let earliest = consume earliest { earliest.tearDown() }
  }

  /// True if `tearDownAll` does no more than release the resources.
  var isPlain: Bool { true }

  private func becomeDisposed() {
    state = .disposed
    if record != nil { record = nil }
    hasResources = false
  }

  /// Releases all resources in a loop, because disposables may be nested a million levels deep.
  private func tearDownNested() {
    var waiting: [any Teardown] = []
    var next = takeResources(orAppendTo: &waiting)
    while let teardown = next ?? waiting.popLast() {
      next = nil
      if let nested = teardown as? Disposable, nested.isPlain {
        if !nested.isDisposed { next = nested.takeResources(orAppendTo: &waiting) }
      } else {
        teardown.tearDown()
      }
    }
  }

  /// Becomes disposed, and returns its resource. Several resources are appended to a list instead.
  private func takeResources(orAppendTo list: inout [any Teardown]) -> (any Teardown)? {
    becomeDisposed()
    guard let earliest = first.take() else { return nil }
    if others.isEmpty { return earliest }
    list.append(earliest)
    list += exchange(&others, with: [])
    return nil
  }
}

extension Disposable: Teardown {
  /// Disposes it together with its owner.
  public func tearDown() { dispose() }
}

/// A teardown that is a closure.
private final class Action: Teardown {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  func tearDown() { action() }
}
