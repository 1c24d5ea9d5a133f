/// A first-in, first-out queue of jobs with constant-time operations.
struct JobQueue {
  typealias Job = @Sendable () -> Void

  private var arrived: [Job] = []
  private var leaving: [Job] = []

  var count: Int { arrived.count + leaving.count }

  mutating func append(_ job: @escaping Job) {
    arrived.append(job)
  }

  mutating func popFirst() -> Job? {
    if leaving.isEmpty {
      leaving = arrived.reversed()
      arrived.removeAll(keepingCapacity: true)
    }
    return leaving.popLast()
  }
}
