import Runnel

/// Keeps its thread busy.
@Sendable func countOfPrimes(below limit: Int) -> Int {
  (2..<limit).count { number in
    (2..<number).prefix { $0 * $0 <= number }.allSatisfy { number % $0 != 0 }
  }
}

@MainActor
final class Report {
  let limits = PushStream<Int>()
  let lines = CollectionProperty<[String]>()
  private var number = 0
  private let pool = WorkerPool(name: "numbers", size: 2)
  private let worker = EventLoop(name: "worker")

  func start() {
    limits
      .concatMap { [pool] limit in
        EventStream.perform(on: pool) { countOfPrimes(below: limit) }  // a thread of the pool
      }
      .via(worker) { $0.scan(0, +).map { "\($0) primes" } }  // the thread of the worker
      .observeNext { [self] text in  // the main actor again
        number += 1
        lines.append("\(number): \(text)")
      }
  }
}

let report = Report()
report.start()
report.limits.next(1_000)
report.limits.next(10_000)
EventLoop.main.run(until: report.lines.observed.count.filter { $0 == 2 })
for line in report.lines { print(line) }

// Output:
// 1: 168 primes
// 2: 1397 primes
