import CBaseline
import Foundation
import Glibc
import Runnel

/// Measures loops and threads, with the same work in C on libevent as a baseline.
func measureLoop(_ report: inout Report) {
  measureJobs(&report)
  measureTimers(&report)
  measureActors(&report)
  measureEcho(&report)
}

// MARK: - Jobs

private func measureJobs(_ report: inout Report) {
  let loop = EventLoop(name: "flood")
  let other = EventLoop(name: "other")
  defer {
    loop.stop()
    other.stop()
  }

  let flood = 200_000
  report.ratio("execute from another thread, flood", beside: { baseline_flood(flood) }) {
    let sum = Sum()
    // Safety: only the loop's thread adds; `flush()` orders the additions before all later reads.
    nonisolated(unsafe) let total = sum
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      for number in 0..<flood { loop.execute { total.add(number) } }
      loop.flush()
    }
    return elapsed.nanoseconds / Double(flood)
  }

  let trips = 5_000
  report.ratio("round trip between two loops", beside: { baseline_round_trip(trips) }) {
    let done = DispatchSemaphore(value: 0)
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      loop.execute { play(trips, loop, other) { done.signal() } }
      done.wait()
    }
    return elapsed.nanoseconds / Double(trips)
  }
}

private func play(
  _ left: Int, _ here: EventLoop, _ there: EventLoop, _ done: @escaping @Sendable () -> Void
) {
  if left == 0 { return done() }
  there.execute { here.execute { play(left - 1, here, there, done) } }
}

// MARK: - Timers

private func measureTimers(_ report: inout Report) {
  let loop = EventLoop(name: "timers")
  defer { loop.stop() }

  let count = 100_000
  var baselineAdd = Double.infinity
  var baselineFire = Double.infinity
  var add = Double.infinity
  var fire = Double.infinity
  for _ in 0..<20 {
    var costs = (add: 0.0, fire: 0.0)
    baseline_timers(count, &costs.add, &costs.fire)
    baselineAdd = min(baselineAdd, costs.add)
    baselineFire = min(baselineFire, costs.fire)
    costs = timers(count, on: loop)
    add = min(add, costs.add)
    fire = min(fire, costs.fire)
  }
  report.ratio("100,000 timers, add one", add, to: baselineAdd)
  report.ratio("100,000 timers, fire one", fire, to: baselineFire)

  // Measured on the main thread, on which timers of the main loop may be set before it runs.
  let main = EventLoop.main
  func setAndCancel(_ count: Int) {
    let now = main.now
    for number in 0..<count { main.schedule(at: now + .seconds(number % 60)) {}.dispose() }
  }
  report.allocations("timer set and cancelled, allocations", per: 1_000) { setAndCancel(1_000) }
  report.growth("1 million timers set and cancelled", warmUp: { setAndCancel(1_000) }) {
    setAndCancel(1_000_000)
  }

  report.ratio("timer without delay, repeatedly", beside: { baseline_rearm(count) }) {
    let done = DispatchSemaphore(value: 0)
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      loop.execute { rearm(count, loop) { done.signal() } }
      done.wait()
    }
    return elapsed.nanoseconds / Double(count)
  }
}

private func timers(_ count: Int, on loop: EventLoop) -> (add: Double, fire: Double) {
  let done = DispatchSemaphore(value: 0)
  // Safety: the loop writes before it signals, and this thread reads after it has waited.
  nonisolated(unsafe) var costs = (add: 0.0, fire: 0.0)
  loop.execute {
    let clock = ContinuousClock()
    let sum = Sum()
    let now = loop.now
    let start = clock.now
    var added = start
    for number in 0..<count {
      _ = loop.schedule(at: now + .microseconds((number &* 7_919) % 1_000)) {
        sum.add(1)
        guard sum.total == count else { return }
        costs.fire = added.duration(to: clock.now).nanoseconds / Double(count)
        done.signal()
      }
    }
    added = clock.now
    costs.add = start.duration(to: added).nanoseconds / Double(count)
  }
  done.wait()
  return costs
}

private func rearm(_ left: Int, _ loop: EventLoop, _ done: @escaping @Sendable () -> Void) {
  if left == 0 { return done() }
  _ = loop.schedule(after: .zero) { rearm(left - 1, loop, done) }
}

// MARK: - Actors

private actor Counter {
  private let loop: EventLoop
  private var count = 0

  init(on loop: EventLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func step() { count += 1 }

  func step(_ other: Counter, times: Int) async {
    for _ in 0..<times { await other.step() }
  }
}

private func measureActors(_ report: inout Report) {
  let loop = EventLoop(name: "actors")
  defer { loop.stop() }
  let one = Counter(on: loop)
  let two = Counter(on: loop)

  let calls = 100_000
  let (here, there) = (PoolCounter(), PoolCounter())
  report.ratio(
    "actor to actor on one loop",
    beside: { nanoseconds(per: calls) { await here.step(there, times: calls) } },
    { nanoseconds(per: calls) { await one.step(two, times: calls) } })

  let visits = 5_000
  report.ratio("pool to loop and back", beside: { baseline_pool_trip(visits) }) {
    let clock = ContinuousClock()
    // Work on the pool between two visits forces a hop back to it.
    let elapsed = clock.measure {
      wait {
        for _ in 0..<visits {
          await one.step()
          visit()
        }
      }
    }
    return elapsed.nanoseconds / Double(visits)
  }
}

/// An actor on the pool of Swift.
private actor PoolCounter {
  private var count = 0

  func step() { count += 1 }

  func step(_ other: PoolCounter, times: Int) async {
    for _ in 0..<times { await other.step() }
  }
}

/// Returns the time of one of `count` steps.
private func nanoseconds(
  per count: Int, _ work: @escaping @Sendable () async -> Void
) -> Double {
  ContinuousClock().measure { wait(for: work) }.nanoseconds / Double(count)
}

// Safety: only one task at a time calls `visit()`.
nonisolated(unsafe) private var visited = 0

@inline(never)
private func visit() { visited += 1 }

private func wait(for work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await work()
    done.signal()
  }
  done.wait()
}

// MARK: - Echo

private func measureEcho(_ report: inout Report) {
  let messages = 50_000
  report.ratio(
    "echo over 64 socket pairs",
    beside: {
      echo(messages) { sockets in
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
          baseline_echo_serve(sockets, Int32(sockets.count))
          done.signal()
        }
        thread.start()
        return { done.wait() }
      }
    },
    {
      echo(messages) { sockets in
        let loop = EventLoop(name: "echo")
        loop.execute {
          for socket in sockets { answer(on: socket, loop) }
        }
        return {
          loop.stop()
          loop.join()
        }
      }
    })
}

private func answer(on socket: Int32, _ loop: EventLoop) {
  loop.readable(socket).observeNext {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { message in
      let count = read(socket, message.baseAddress, message.count)
      if count > 0 { _ = write(socket, message.baseAddress, count) }
    }
  }
}

/// Exchanges messages between a client in C and a server. Returns the time per message in
/// nanoseconds.
private func echo(_ messages: Int, serve: ([Int32]) -> () -> Void) -> Double {
  var near: [Int32] = []
  var far: [Int32] = []
  for _ in 0..<64 {
    var pair: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    near.append(pair[0])
    far.append(pair[1])
  }
  let end = serve(far)
  let clock = ContinuousClock()
  let elapsed = clock.measure { baseline_echo_drive(near, Int32(near.count), messages) }
  for socket in near { close(socket) }
  end()
  for socket in far { close(socket) }
  return elapsed.nanoseconds / Double(messages)
}

extension EventLoop {
  /// Waits until all jobs submitted so far have run.
  fileprivate func flush() {
    let done = DispatchSemaphore(value: 0)
    execute { done.signal() }
    done.wait()
  }
}
