/// A source of bytes that can stop reading for some time, such as a connection.
package protocol PausableSource: AnyObject {
  /// Stops reading until as many calls of ``resume()`` as of this method were made.
  func pause()
  func resume()
}

/// Work that a reader or writer does at the end of a turn.
package protocol EndOfTurnTask: AnyObject {
  func runAtEndOfTurn()
}

/// The state that the readers and writers of one loop share.
package final class InputOutput {
  /// A buffer for reading. Its bytes are valid only until the next read.
  package var scratch: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: readBuffer.prefix(Self.scratchCount))
  }
  private static let scratchCount = 1 << 16
  /// The bytes of a spare buffer beyond the size of the scratch buffer, for the headers of TLS.
  private static let slack = 1 << 10
  // Safety: each buffer is allocated here, and freed with this object or when it is used no more.
  private var readBuffer = allocateBuffer()
  /// Buffers that nothing uses now.
  private var spareBuffers: [UnsafeMutableRawBufferPointer] = []

  /// The source whose bytes are being handled now. A full writer pauses it.
  @exclusivity(unchecked) package var source: (any PausableSource)?

  @exclusivity(unchecked) private var tasks: [any EndOfTurnTask] = []
  private var spareChunks: [Chunk] = []
  private static let maximumSpareChunks = 64
  private static let maximumSpareBuffers = 4

  /// Called when ``runTasks()`` becomes necessary. A loop needs no call, because it runs them in
  /// each turn.
  private let taskWasAdded: (() -> Void)?

  package init(taskWasAdded: (() -> Void)? = nil) {
    self.taskWasAdded = taskWasAdded
  }

  deinit {
    readBuffer.deallocate()
    for buffer in spareBuffers { buffer.deallocate() }
  }

  private static func allocateBuffer() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: scratchCount + slack, alignment: 16)
  }

  // MARK: - Buffers

  /// Runs a closure with a buffer, a little larger than ``scratch``, that nothing else uses meanwhile.
  package func withSpareBuffer<Output>(
    _ body: (UnsafeMutableRawBufferPointer) -> Output
  ) -> Output {
    let buffer = spareBuffers.popLast() ?? Self.allocateBuffer()
    defer {
      if spareBuffers.count < Self.maximumSpareBuffers {
        spareBuffers.append(buffer)
      } else {
        buffer.deallocate()
      }
    }
    return body(buffer)
  }

  /// Runs a closure while ``scratch`` is another buffer, so that bytes in the present one stay valid.
  package func withOtherScratch(_ body: () -> Void) {
    withSpareBuffer { buffer in
      let previous = readBuffer
      readBuffer = buffer
      defer { readBuffer = previous }
      body()
    }
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

  /// True if tasks wait for the end of the turn.
  var hasTasks: Bool { !tasks.isEmpty }

  func takeChunk() -> Chunk {
    spareChunks.popLast() ?? Chunk()
  }

  func recycle(_ chunk: Chunk) {
    guard spareChunks.count < Self.maximumSpareChunks else { return }
    chunk.count = 0
    spareChunks.append(chunk)
  }
}

/// A buffer that collects small writes.
final class Chunk {
  static let capacity = 1 << 14

  // Safety: the memory is allocated with the chunk and freed with it.
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: Chunk.capacity, alignment: 16)
  /// The number of bytes in the chunk.
  var count = 0

  deinit {
    memory.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  /// Appends bytes for which there is room.
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    (memory + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }
}
