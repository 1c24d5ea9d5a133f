/// Something that can be undone when an observation ends.
///
/// A class conforms to it so that the observation can hold the object itself, and no closure has to
/// be allocated.
public protocol Teardown: AnyObject {
  /// Undoes it. Called once, at the end of the observation or when it is disposed.
  func tearDown()
}

/// An observation, or anything else that can be called off.
///
/// *Disposal*: when ``dispose()`` returns, no closure of the observation runs again, and what they
/// captured is released (C4); inside one of those closures, as soon as it returns. Disposing twice
/// does nothing. What was added last is torn down first. Letting go of a disposable does not
/// dispose it: keep it in a ``DisposeBag`` for that.
public class Disposable {
  @usableFromInline
  enum State: UInt8 {
    /// Events flow.
    case active
    /// The end is being delivered: nothing else passes.
    case ending
    /// Over.
    case disposed
  }

  @usableFromInline @exclusivity(unchecked) final var state = State.active
  /// Whether there may be something to undo. Where there is not, disposing sets the state, and no more.
  @usableFromInline @exclusivity(unchecked) final var hasDuties = false
  /// Whether something that was to be undone has gone by itself.
  @usableFromInline @exclusivity(unchecked) final var wasAbandoned = false
  /// True while the calls that start the last stream of this observation can put a stream aside for
  /// the loop below them, its `tailTrampoline`.
  @usableFromInline @exclusivity(unchecked) final var postponesTailStart = false
  @usableFromInline @exclusivity(unchecked) final var first: (any Teardown)?
  @usableFromInline @exclusivity(unchecked) final var others: [any Teardown] = []
  @usableFromInline @exclusivity(unchecked) final var record: Resources.Record? {
    didSet { hasDuties = true }
  }

  /// A disposable with nothing in it yet.
  @inlinable
  public init() {}

  /// A disposable that does something when it is disposed.
  public init(_ action: @escaping () -> Void) {
    first = Action(action)
    hasDuties = true
  }

  init(state: State) {
    self.state = state
  }

  // Safety: it is disposed from the start, so that nothing writes to it ever again.
  nonisolated(unsafe) private static let disposed = Disposable(state: .disposed)

  /// A disposable with nothing to undo, which counts as disposed.
  public static var none: Disposable { disposed }

  /// Whether it was disposed, or the observation came to its end.
  @inlinable
  public final var isDisposed: Bool { state == .disposed }

  @inlinable
  final var isActive: Bool { state == .active }

  /// Whether what it observed was released, and nothing else is left to undo.
  final var isAbandoned: Bool { wasAbandoned && first == nil }

  /// Ends the observation, and undoes what was added. A second call does nothing.
  @inlinable
  @inline(__always)
  public final func dispose() {
    if state == .disposed { return }
    if hasDuties { tearDownAll() } else { state = .disposed }
  }

  /// Adds what is to be undone with it. If it is disposed already, that is undone at once.
  @inlinable
  public final func add(_ teardown: some Teardown) {
    attach(teardown)
  }

  /// Adds another disposable, to be disposed with this one.
  @inlinable
  public final func add(_ disposable: Disposable) {
    if disposable.isDisposed { return }
    attach(disposable)
  }

  /// Adds something to do when this one is disposed.
  public final func add(_ action: @escaping () -> Void) {
    add(Action(action))
  }

  /// Consuming, so that what was made to be added here is stored without counting it twice.
  @usableFromInline
  final func attach(_ teardown: consuming any Teardown) {
    if state == .disposed {
      teardown.tearDown()
    } else if first == nil {
      first = teardown
      hasDuties = true
    } else {
      others.append(teardown)
    }
  }

  /// Takes back what was added, without undoing it. Does nothing if it is not here any more.
  @usableFromInline
  final func detach(_ teardown: any Teardown) {
    if first === teardown {
      first = others.isEmpty ? nil : others.removeFirst()
    } else if let index = others.lastIndex(where: { $0 === teardown }) {
      others.remove(at: index)
    }
  }

  /// The same, because that goes by itself.
  final func abandon(_ teardown: any Teardown) {
    detach(teardown)
    wasAbandoned = true
  }

  /// The innermost loop that starts last streams in this observation.
  @usableFromInline
  final var tailTrampoline: TailTrampoline? {
    others.last { $0 is TailTrampoline } as? TailTrampoline ?? first as? TailTrampoline
  }

  /// Begins the end of an observation: the terminal event may be delivered now, and nothing after
  /// it. False if that has happened before.
  @inlinable
  final func beginEnding() -> Bool {
    if state != .active { return false }
    state = .ending
    return true
  }

  /// Makes a disposed one as new, for one who knows that nobody else holds it.
  @inlinable
  final func reactivate() {
    state = .active
  }

  /// Overridden where one object is both a disposable and what it undoes.
  @usableFromInline
  func tearDownAll() {
    state = .disposed
    if record != nil { record = nil }
    hasDuties = false
    let earliest = first.take()
    if !others.isEmpty {
      let others = others
      self.others = []
      for teardown in others.reversed() { teardown.tearDown() }
    }
    // Consumed, or the call would count it once more.
    if let earliest = consume earliest { earliest.tearDown() }
  }
}

extension Disposable: Teardown {
  /// Disposes it: what it was added to is being disposed.
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
