import Glibc
import RunnelLoop
import RunnelStreams
import Synchronization

/// One round of a race: an object that another thread releases, and an action of the main thread.
struct Round {
  /// The object. A main-actor object, which another thread releases, holds the last reference.
  let released: Any
  let act: () -> Void

  init(releasing released: Any, while act: @escaping () -> Void) {
    self.released = released
    self.act = act
  }
}

/// A test that releases objects of the main actor on another thread while the main thread uses
/// their streams.
///
/// In each round both threads start together, after a short random wait. A round is a hit if their
/// work overlapped in time.
@MainActor
final class Race {
  private let releaser = Releaser()
  private var generator: UInt64

  /// The number of rounds in the last race in which the work of both threads overlapped.
  private(set) var hits = 0
  /// The number of rounds in the last race.
  private(set) var rounds = 0

  init(seed: UInt64) {
    generator = seed
  }

  /// Runs rounds until enough of them were hits, or until the limit. `spread` is the maximum delay
  /// of the release after the start of the main thread, in iterations of a loop.
  func run(
    hits wanted: Int, limit: Int, spread: Int, _ make: () throws -> Round
  ) rethrows {
    (hits, rounds) = (0, 0)
    while hits < wanted && rounds < limit {
      let act = try prepare(make)
      releaser.start(after: wait(below: spread))
      let pause = wait(below: 200)
      spin(pause)
      let start = monotonicTime()
      asLoop(act)
      let end = monotonicTime()
      let release = releaser.finish()
      if max(start, release.lowerBound) < min(end, release.upperBound) { hits += 1 }
      rounds += 1
      // The main loop releases the objects that were handed over to it.
      if rounds % 8 == 0 { EventLoop.main.run(for: .zero) }
    }
    EventLoop.main.run(for: .zero)
  }

  /// Hands the object to the releasing thread. Not inlined, so that no reference to it stays here.
  @inline(never)
  private func prepare(_ make: () throws -> Round) rethrows -> () -> Void {
    let round = try asLoop(make)
    releaser.give(Owner(round.released))
    return round.act
  }

  private func asLoop<Output>(_ body: () throws -> Output) rethrows -> Output {
    try Current.with(context: EventLoop.main) {
      try Current.with(scheduler: EventLoop.main, body)
    }
  }

  private func wait(below limit: Int) -> Int {
    generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(generator >> 33) % limit
  }
}

/// A main-actor object, which any thread may release.
@MainActor
private final class Owner {
  private let content: Any

  init(_ content: Any) {
    self.content = content
  }
}

/// The thread that releases objects.
private final class Releaser: Sendable {
  private enum Phase: Int {
    case idle
    /// The thread has an object, and waits for the start.
    case ready
    case started
    /// The thread is about to release the object.
    case running
    case finished
  }

  private let phase = Atomic(Phase.idle.rawValue)
  /// The address of the object, or 0.
  private let object = Atomic<UInt>(0)
  private let pause = Atomic(0)
  private let start = Atomic<UInt64>(0)
  private let end = Atomic<UInt64>(0)

  init() {
    pthread_detach(startThread { self.main() })
  }

  func give(_ owner: sending Owner) {
    // Safety: the thread takes ownership of the reference.
    let address = UInt(bitPattern: Unmanaged.passRetained(owner).toOpaque())
    object.store(address, ordering: .releasing)
    wait(for: .ready)
  }

  /// Starts the release, and waits until the thread runs, so that both are awake.
  func start(after pause: Int) {
    self.pause.store(pause, ordering: .relaxed)
    phase.store(Phase.started.rawValue, ordering: .releasing)
    wait(for: .running)
  }

  /// Waits until the object is released. Returns the time range of the release.
  func finish() -> Range<UInt64> {
    wait(for: .finished)
    phase.store(Phase.idle.rawValue, ordering: .releasing)
    return start.load(ordering: .relaxed)..<end.load(ordering: .relaxed)
  }

  private func main() {
    while true {
      var address = object.exchange(0, ordering: .acquiringAndReleasing)
      while address == 0 {
        sched_yield()
        address = object.exchange(0, ordering: .acquiringAndReleasing)
      }
      phase.store(Phase.ready.rawValue, ordering: .releasing)
      wait(for: .started)
      phase.store(Phase.running.rawValue, ordering: .releasing)
      spin(pause.load(ordering: .relaxed))
      start.store(monotonicTime(), ordering: .relaxed)
      // Safety: `give` has retained the object for this thread.
      let owner = UnsafeRawPointer(bitPattern: address)
      if let owner { Unmanaged<Owner>.fromOpaque(owner).release() }
      end.store(monotonicTime(), ordering: .relaxed)
      phase.store(Phase.finished.rawValue, ordering: .releasing)
    }
  }

  private func wait(for wanted: Phase) {
    var tries = 0
    while phase.load(ordering: .acquiring) < wanted.rawValue {
      tries += 1
      if tries % 1_000 == 0 { sched_yield() }
    }
  }
}

/// Spins for a number of iterations.
@inline(never)
private func spin(_ count: Int) {
  let counter = Atomic(0)
  for _ in 0..<count { counter.add(1, ordering: .relaxed) }
}

private func monotonicTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
