/// A collection of observations that are disposed when the bag is released, usually with its owner.
///
///     @MainActor final class Greeter {
///       let bag = DisposeBag()
///       func start() { names.observeNext { print("Hi \($0)!") }.disposed(by: bag) }
///     }
///
/// To clear it sooner, replace it: `bag = DisposeBag()`.
///
/// *Disposal*: a bag belongs to the loop that it was created on. If another thread releases it, as
/// may happen in the `deinit` of a main-actor class, its contents are disposed and released on its
/// own loop. A bag that was created without a loop disposes its contents on the thread that
/// releases it.
public final class DisposeBag {
  private var contents: [Disposable] = []
  private var sweepAt = 64
  private let home: (any ExecutionContext)?

  /// Creates an empty bag.
  public init() {
    home = Current.contextIfAny
  }

  deinit {
    guard !contents.isEmpty else { return }
    guard let home, !home.admitsCaller else {
      for disposable in contents { disposable.dispose() }
      return
    }
    // The box has the only reference to the array, so no disposable is released on this thread.
    var leaving: Contents? = Contents(contents)
    contents = []
    home.letGo(&leaving) { leaving in
      for disposable in leaving.disposables { disposable.dispose() }
    }
  }

  private final class Contents {
    let disposables: [Disposable]

    init(_ disposables: [Disposable]) {
      self.disposables = disposables
    }
  }

  /// The number of observations in the bag that have not ended. An observation of a released
  /// subject counts as long as it is referenced elsewhere.
  public var count: Int {
    sweep()
    return contents.count
  }

  /// Puts a disposable in the bag.
  public func add(_ disposable: Disposable) {
    if disposable.isDisposed { return }
    if contents.count >= sweepAt {
      sweep()
      sweepAt = max(64, 2 * contents.count)
    }
    contents.append(disposable)
  }

  /// Removes observations that have ended, and observations of released subjects that only the bag
  /// references.
  private func sweep() {
    var kept = 0
    for index in contents.indices {
      let isAlone = isKnownUniquelyReferenced(&contents[index])
      if contents[index].isDisposed || isAlone && contents[index].isAbandoned { continue }
      contents.swapAt(kept, index)
      kept += 1
    }
    // Released last, because their captures may call back into the bag.
    let leaving = Array(contents[kept...])
    contents.removeSubrange(kept...)
    release(leaving)
  }
}

extension Disposable {
  /// Adds this disposable to a bag, which disposes it when the bag is released.
  public func disposed(by bag: DisposeBag) {
    bag.add(self)
  }
}
