/// Ties observations to the life of its owner: what is in the bag is disposed when the bag goes.
///
///     @MainActor final class Greeter {
///       let bag = DisposeBag()
///       func start() { names.observeNext { print("Hi \($0)!") }.disposed(by: bag) }
///     }
///
/// To clear it sooner, replace it: `bag = DisposeBag()`.
///
/// *Disposal*: a bag belongs to the loop that it was made on. Released on another thread, which the
/// `deinit` of a main-actor class may run on, it hands its contents to its own loop, and they die
/// there. A bag made where there is no loop disposes wherever it is released.
public final class DisposeBag {
  private var contents: [Disposable] = []
  private var sweepAt = 64
  private let home: (any ExecutionContext)?

  /// An empty bag.
  public init() {
    home = Current.contextIfAny
  }

  deinit {
    guard !contents.isEmpty else { return }
    guard let home, !home.admitsCaller else {
      for disposable in contents { disposable.dispose() }
      return
    }
    // The box has the only reference to the array, so that no disposable is released on this
    // thread.
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

  /// How many observations it holds that have not ended. Those of subjects that were released count as
  /// long as somebody else has them.
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

  /// Lets go of what has ended, and of observations that nobody else has, of subjects that were released.
  private func sweep() {
    var kept = 0
    for index in contents.indices {
      let isAlone = isKnownUniquelyReferenced(&contents[index])
      if contents[index].isDisposed || isAlone && contents[index].isAbandoned { continue }
      contents.swapAt(kept, index)
      kept += 1
    }
    // Released last: what they captured may come back to the bag.
    let leaving = Array(contents[kept...])
    contents.removeSubrange(kept...)
    release(leaving)
  }
}

extension Disposable {
  /// Puts it in a bag, to be disposed when the bag goes.
  public func disposed(by bag: DisposeBag) {
    bag.add(self)
  }
}
