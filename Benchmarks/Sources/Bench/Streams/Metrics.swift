import Glibc
import RunnelStreams

/// Measures a count and a recorded time.
func measureMetrics(_ report: inout Report) {
  let count = 100_000
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  pthread_mutex_init(mutex, nil)
  defer {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
  var sum = 0
  func addLocked() {
    for number in 0..<count {
      pthread_mutex_lock(mutex)
      sum += number & 1
      pthread_mutex_unlock(mutex)
    }
  }
  let metrics = Metrics()
  let counter = metrics.counter("jobs_total", "Jobs.")
  report.ratio(
    "a count", per: count, baseline: addLocked,
    measured: { for _ in 0..<count { counter.increment() } })
  let results = metrics.counters("results_total", "Results.", by: "status")
  report.ratio(
    "a count, found by its label", per: count, baseline: addLocked,
    measured: { for _ in 0..<count { results["ok"].increment() } })
  let times = metrics.histogram("job_seconds", "Time of a job.")
  report.ratio(
    "a recorded value", per: count, baseline: addLocked,
    measured: { for number in 0..<count { times.record(Double(number & 7)) } })
  consume(sum)
}
