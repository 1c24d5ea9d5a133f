import RunnelStreams

/// Work that is done some time later.
package protocol LateTask: AnyObject {
  /// The place in the list of late tasks; nil if it is in none.
  var latePlace: Int? { get set }
  func runLate()
}

/// Tasks that run once, at most a given time after they were added. All of them share one timer, which is
/// set only while there are some.
package final class LateTasks {
  private let time: Duration
  @exclusivity(unchecked) private var tasks: [any LateTask] = []
  @exclusivity(unchecked) private var timerIsSet = false

  init(after time: Duration) {
    self.time = time
  }

  /// Adds a task, unless it is in the list.
  package func add(_ task: any LateTask, on scheduler: any Scheduler) {
    if task.latePlace != nil { return }
    task.latePlace = tasks.count
    tasks.append(task)
    if timerIsSet { return }
    timerIsSet = true
    _ = scheduler.schedule(after: time) { [weak self] in self?.run() }
  }

  private func run() {
    timerIsSet = false
    let tasks = exchange(&tasks, with: [])
    for task in tasks { task.latePlace = nil }
    for task in tasks { task.runLate() }
  }

  /// Removes a task, if it is in the list.
  package func remove(_ task: any LateTask) {
    guard let place = task.latePlace else { return }
    task.latePlace = nil
    let last = tasks.removeLast()
    guard last !== task else { return }
    last.latePlace = place
    tasks[place] = last
  }
}
