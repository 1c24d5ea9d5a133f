import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct WorkerPoolTests {
  @Test func runsEachJobOnceWithinSize() async {
    await ManualContext.onThread { _ in
      let pool = WorkerPool(name: "three", size: 3)
      let inside = Monitor((now: 0, most: 0, runs: 0))
      for _ in 0..<10_000 {
        pool.execute {
          inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.runs + 1) }
          sched_yield()
          inside.withLock { $0.now -= 1 }
        }
      }
      pool.stop()
      pool.join()
      let (now, most, runs) = inside.withLock { $0 }
      #expect(now == 0 && runs == 10_000)
      #expect((1...3).contains(most))
    }
  }

  /// Each job waits for the other, so both threads must run at the same time.
  @Test func runsJobsInParallel() async {
    await ManualContext.onThread { _ in
      let pool = WorkerPool(size: 2)
      let present = EventLog<Int>()
      for number in 0..<2 {
        pool.execute {
          present.add(number)
          present.wait(for: 2)
        }
      }
      #expect(present.wait(for: 2).sorted() == [0, 1])
      pool.stop()
      pool.join()
    }
  }

  @Test func beginsJobsInOrder() async {
    await ManualContext.onThread { _ in
      let pool = WorkerPool(size: 1)
      let log = EventLog<Int>()
      for number in 0..<1_000 { pool.execute { log.add(number) } }
      #expect(log.wait(for: 1_000) == Array(0..<1_000))
    }
  }

  @Test func namesItsThreads() async {
    let name = await ManualContext.onThread { _ in
      let pool = WorkerPool(name: "disk", size: 1)
      let log = EventLog<String>()
      pool.execute {
        var buffer = [UInt8](repeating: 0, count: 16)
        let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
        let count = read(file, &buffer, buffer.count)
        close(file)
        log.add(String(decoding: buffer.prefix(count), as: UTF8.self))
      }
      return log.wait(for: 1)
    }
    #expect(name == ["disk-1\n"])
  }

  @Test func defaultSizeIsProcessorCount() {
    #expect(WorkerPool().size >= 1)
    #expect(WorkerPool().size <= Int(sysconf(Int32(_SC_NPROCESSORS_CONF))))
  }

  @Test func afterStopOnlyOwnJobsAddJobs() async {
    await ManualContext.onThread { _ in
      let pool = WorkerPool(size: 1)
      let log = EventLog<String>()
      let isStopped = EventLog<Void>()
      pool.execute {
        isStopped.wait(for: 1)
        log.add("running")
        pool.execute { pool.execute { log.add("added by an added one") } }
      }
      pool.execute { log.add("queued") }
      pool.stop()
      let late = LateJob(log)
      pool.execute { late.run() }
      isStopped.add(())
      pool.join()
      #expect(log.all == ["running", "queued", "added by an added one"])
      pool.execute { late.run() }
      #expect(log.count == 3)
    }
  }

  @Test func jobAfterStopIsReleased() async {
    await ManualContext.onThread { _ in
      let pool = WorkerPool(size: 1)
      pool.stop()
      pool.join()
      let log = EventLog<String>()
      var late: LateJob? = LateJob(log)
      pool.execute { [late] in late?.run() }
      weak let observed = late
      late = nil
      #expect(observed == nil)
      #expect(log.all == [])
    }
  }

  @Test func releasedPoolRunsItsJobs() async {
    let log = await ManualContext.onThread { _ in
      var pool: WorkerPool? = WorkerPool(size: 2)
      let log = EventLog<Int>()
      for number in 0..<100 { pool?.execute { log.add(number) } }
      pool = nil
      log.wait(for: 100)
      return log.all
    }
    #expect(log.sorted() == Array(0..<100))
  }

  @Test func jobMayReleasePool() async {
    let log = await ManualContext.onThread { _ in
      let log = EventLog<Int>()
      let mayEnd = EventLog<Void>()
      WorkerPool(size: 1).addJob { pool in
        mayEnd.wait(for: 1)
        withExtendedLifetime(pool) { log.add(1) }
      }
      mayEnd.add(())
      return log.wait(for: 1)
    }
    #expect(log == [1])
  }

  // MARK: - Crossings from a loop

  @Test func performReturnsToTheLoop() async {
    await withLoop(andWorkers: 2) { loop, pool in
      let log = EventLog<String>()
      loop.execute {
        EventStream<Bool, Never>.perform(on: pool) { loop.isCurrent }.observe(
          next: { log.add("worked \($0 ? "here" : "there"), back \(loop.isCurrent)") },
          completed: { log.add("completed") })
      }
      #expect(log.wait(for: 2) == ["worked there, back true", "completed"])
    }
  }

  @Test func performFailsOnTheLoop() async {
    await withLoop(andWorkers: 1) { loop, pool in
      let log = EventLog<DescriptorError>()
      loop.execute {
        EventStream<Int, DescriptorError>.perform(on: pool) { () throws(DescriptorError) in
          throw DescriptorError.tooMany
        }.observe(failed: { if loop.isCurrent { log.add($0) } })
      }
      #expect(log.wait(for: 1) == [.tooMany])
    }
  }

  @Test func cancelledWorkNeverBegins() async {
    await withLoop(andWorkers: 1) { loop, pool in
      let mayContinue = EventLog<Void>()
      let runs = EventLog<Int>()
      pool.execute { mayContinue.wait(for: 1) }
      loop.wait {
        let bag = DisposeBag()
        for number in 0..<100 {
          let observation = EventStream<Int, Never>.perform(on: pool) {
            runs.add(number)
            return number
          }.observeNext { _ in runs.add(-1) }
          if number % 2 == 0 { observation.disposed(by: bag) }
        }
      }
      mayContinue.add(())
      pool.stop()
      pool.join()
      loop.wait {}
      let began = runs.all.filter { $0 >= 0 }
      #expect(began == (0..<100).filter { $0 % 2 == 1 })
      #expect(runs.count == 100)
    }
  }

  @Test func manyPerformsReturnOnceEach() async {
    await withLoop(andWorkers: 4) { loop, pool in
      let log = EventLog<Int>()
      loop.execute {
        EventStream<Int, Never>.sequence(0..<2_000).flatMap { number in
          EventStream.perform(on: pool) { number * 2 }
        }.observeNext { log.add($0) }
      }
      #expect(log.wait(for: 2_000).sorted() == (0..<2_000).map { $0 * 2 })
    }
  }

  @Test func viaKeepsTheOrder() async {
    await withLoop(andWorkers: 4) { loop, pool in
      let log = EventLog<Int>()
      loop.execute {
        EventStream<Int, Never>.sequence(0..<5_000)
          .via(pool) { $0.map { loop.isCurrent ? -1 : $0 } }
          .observe(next: { log.add(loop.isCurrent ? $0 : -2) }, completed: { log.add(5_000) })
      }
      #expect(log.wait(for: 5_001) == Array(0...5_000))
    }
  }

  // MARK: - Misuse

  @Test func needsAThread() async {
    await #expect(processExitsWith: .failure) { _ = WorkerPool(size: 0) }
  }

  @Test func cannotWaitForItself() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pool = WorkerPool(size: 1)
      let never = EventLog<Void>()
      pool.execute {
        pool.stop()
        pool.join()
      }
      never.wait(for: 1)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("was called on a thread of the pool"))
  }
}

/// Runs a test with a loop and a pool. The pool ends before the loop, because a worker that
/// releases an observation of a stopped loop leaks it.
private func withLoop(
  andWorkers count: Int, _ body: @escaping @Sendable (EventLoop, WorkerPool) -> Void
) async {
  await withLoop { loop in
    let pool = WorkerPool(size: count)
    body(loop, pool)
    pool.stop()
    pool.join()
  }
}

extension WorkerPool {
  /// Adds a job that retains the pool.
  fileprivate func addJob(_ job: @escaping @Sendable (WorkerPool) -> Void) {
    execute { job(self) }
  }
}

private final class LateJob: Sendable {
  private let log: EventLog<String>

  init(_ log: EventLog<String>) {
    self.log = log
  }

  func run() { log.add("late") }
}
