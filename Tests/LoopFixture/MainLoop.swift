import CLinux
import Dispatch
import Glibc
import RunnelLoop
import RunnelStreams

/// Runs a main-actor task, the main queue, a sleeping task, a timer and a descriptor. Each
/// continues only when all others have reached the same step, so none can starve another.
@MainActor func makeProgressTogether() {
  let rounds = 20
  let race = Race(of: 5, to: rounds)
  let loop = EventLoop.main
  Task { @MainActor in
    while race.mayStep(0) { await Task.yield() }
  }
  Task { @MainActor in
    while race.mayStep(1) { try? await Task.sleep(for: .microseconds(100)) }
  }
  func viaMainQueue() {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { if race.mayStep(2) { viaMainQueue() } }
    }
  }
  viaMainQueue()
  let alarm = RestartableTimer(on: loop)
  func viaTimer() {
    alarm.set(after: .microseconds(50)) { if race.mayStep(3) { viaTimer() } }
  }
  viaTimer()
  let pulse = eventfd(1, 0)
  let readings = loop.readable(pulse).observe(
    next: { _ = race.mayStep(4) }, failed: { printLine("\($0)") })
  loop.run(until: race.finish)
  readings.dispose()
  printLine("\(race.steps)")
}

/// Runners that wait for each other after each step.
@MainActor private final class Race {
  let finish = PushStream<Void>()
  private(set) var steps: [Int]
  private let rounds: Int

  init(of runners: Int, to rounds: Int) {
    steps = Array(repeating: 0, count: runners)
    self.rounds = rounds
  }

  /// Takes a step if no other runner is behind. Returns false at the end.
  func mayStep(_ runner: Int) -> Bool {
    if steps[runner] == steps.min(), steps[runner] < rounds { steps[runner] += 1 }
    let isOver = steps.allSatisfy { $0 == rounds }
    if isOver { finish.next(()) }
    return !isOver
  }
}

/// Runs a main-actor task that never blocks, with timers and descriptors.
@MainActor func yieldForever() {
  let loop = EventLoop.main
  let task = Task { @MainActor in
    while !Task.isCancelled { await Task.yield() }
  }
  let pulse = eventfd(1, 0)
  let timers = EventStream<Int, Never>.interval(.microseconds(50), on: loop).take(100)
    .ignoreElements(as: Void.self)
  let readings = loop.readable(pulse).ignoreFailure().take(100).ignoreElements(as: Void.self)
  loop.run(until: EventStream.merge([timers, readings]))
  task.cancel()
  loop.run(until: EventStream<Void, Never>.task { await task.value })
  printLine("timers and descriptors ran")
}

/// Runs the main loop in each possible way, one after the other.
@MainActor func runRepeatedly() {
  let loop = EventLoop.main
  loop.execute { loop.stop() }
  loop.run()
  printLine("run")
  let names = PushStream<String>()
  names.remote.send { $0.next("Jim") }
  printLine("until \(loop.run(until: names) ?? "nothing")")
  printLine("until \(loop.run(until: EventStream<Int, Never>.just(7)) ?? 0)")
  printLine(
    "until \(loop.run(until: EventStream<Int, Never>.completed).map(String.init) ?? "nothing")")
  do throws(DescriptorError) {
    try loop.run(until: loop.readable(-1))
  } catch {
    printLine("failed \(error == .notOpen(-1))")
  }
  let start = loop.now
  loop.run(for: .milliseconds(3))
  printLine("for \(loop.now - start >= .milliseconds(3))")
  loop.execute { loop.stop() }
  printLine(
    "stopped \(loop.run(until: EventStream<Int, Never>.never).map(String.init) ?? "before")")
}

/// Runs the main loop inside one of its callbacks.
@MainActor func runInsideCallback() {
  EventLoop.main.execute { EventLoop.main.run() }
  EventLoop.main.run()
}

/// Runs the main loop on another thread.
@MainActor func runOnOtherThread() {
  let other = EventLoop(name: "other")
  other.execute { EventLoop.main.run() }
  EventLoop.main.run(for: .seconds(86_400))
}

/// Runs the main loop and observes a signal when no more descriptors can be opened.
@MainActor func runWithoutMoreDescriptors() {
  let loop = EventLoop.main
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = 0
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  loop.execute { raise(SIGUSR1) }
  if let signal = loop.run(until: loop.signals(.user1)) { printLine("\(signal)") }
  DispatchQueue.main.async {
    printLine("queue")
    loop.stop()
  }
  loop.run()
}
