import RunnelStreams

/// Work that a reader or writer does at the end of a turn.
package protocol EndOfTurnTask: AnyObject {
  func runAtEndOfTurn()
}

/// The state that the readers and writers of one loop share.
package final class InputOutput {
  /// Buffers for reading that nothing uses now.
  // Safety: each is allocated by `withBuffer`, and freed with this object or when there are others.
  @exclusivity(unchecked) private var buffers: [UnsafeMutableRawBufferPointer] = []
  private static let maximumBuffers = 4

  /// A larger buffer, for reading several datagrams at once. It is allocated at the first use.
  // Safety: the memory is allocated once by this object and freed with it.
  package private(set) lazy var batch: UnsafeMutableRawBufferPointer = {
    hasBatch = true
    return .allocate(byteCount: 1 << 21, alignment: 16)
  }()
  private var hasBatch = false

  @exclusivity(unchecked) private var tasks: [any EndOfTurnTask] = []
  @exclusivity(unchecked) private var spareChunks = SegmentList()
  @exclusivity(unchecked) private var spareCount = 0
  private static let maximumSpareCount = 64

  /// Readers that read once more, because they only seem to have read everything.
  package let lateReads = LateTasks(after: .milliseconds(50))
  private var lateTasks: [Duration: LateTasks] = [:]

  /// Called when ``runTasks()`` becomes necessary. A loop needs no call, because it runs them in
  /// each turn.
  private let taskWasAdded: (() -> Void)?

  package init(taskWasAdded: (() -> Void)? = nil) {
    self.taskWasAdded = taskWasAdded
  }

  deinit {
    if hasBatch { batch.deallocate() }
    for buffer in buffers { buffer.deallocate() }
  }

  /// Runs a closure with a buffer that nothing else uses meanwhile. It has 64 KiB, and room for the
  /// headers of TLS.
  package func withBuffer<Output>(_ body: (UnsafeMutableRawBufferPointer) -> Output) -> Output {
    let buffer = buffers.popLast() ?? .allocate(byteCount: (1 << 16) + (1 << 10), alignment: 16)
    defer {
      if buffers.count < Self.maximumBuffers { buffers.append(buffer) } else { buffer.deallocate() }
    }
    return body(buffer)
  }

  // MARK: - Late tasks

  /// The late tasks with a time that many users share.
  package func lateTasks(after time: Duration) -> LateTasks {
    if let known = lateTasks[time] { return known }
    let tasks = LateTasks(after: time)
    lateTasks[time] = tasks
    return tasks
  }

  // MARK: - Tasks

  /// Runs a task once at the end of the turn.
  package func atEndOfTurn(_ task: any EndOfTurnTask) {
    tasks.append(task)
    if tasks.count == 1 { taskWasAdded?() }
  }

  /// Runs the tasks that were added before. Tasks that they add run in the next turn.
  package func runTasks() {
    let count = tasks.count
    if count == 0 { return }
    for index in 0..<count { tasks[index].runAtEndOfTurn() }
    if tasks.count == count {
      tasks.removeAll(keepingCapacity: count <= 1024)
    } else {
      tasks.removeFirst(count)
      taskWasAdded?()
    }
  }

  var hasTasks: Bool { !tasks.isEmpty }

  func takeChunk() -> Segment {
    guard let chunk = spareChunks.popFirst() else { return Segment() }
    spareCount -= 1
    return chunk
  }

  func recycle(_ chunk: Segment) {
    guard spareCount < Self.maximumSpareCount else { return }
    spareCount += 1
    chunk.count = 0
    spareChunks.append(chunk)
  }
}
