import Glibc
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelLoop

@Suite struct WriteQueueTests {
  private let target = RoomTarget()
  private let inputOutput = InputOutput()
  private let queue: WriteQueue

  init() {
    queue = WriteQueue(target, inputOutput)
    queue.limit = 1_000
  }

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
  }

  private func write(raw bytes: [UInt8], isForced: Bool = false) -> Bool {
    bytes.withUnsafeBytes { queue.write(raw: $0, isForced: isForced) }
  }

  private func send(_ count: Int, isForced: Bool) -> Bool {
    let file = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    return queue.send(file: file, at: 0, count: count, isForced: isForced, completion: nil)
  }

  /// Counts the elements of `drained`.
  private func countDrains(_ count: @escaping () -> Void) {
    queue.drained.observe(next: count, failed: { _ in })
  }

  // MARK: - Pieces

  @Test(arguments: [Overflow.wait, .fail, .dropOldest])
  func emptyWriteIsNoPiece(_ overflow: Overflow) {
    queue.overflow = overflow
    var (activities, drains) = (0, 0)
    queue.activity = { activities += 1 }
    countDrains { drains += 1 }
    #expect(queue.write([]) && write(raw: []))
    inputOutput.runTasks()
    #expect(target.offers.isEmpty && activities == 0 && drains == 0)
  }

  @Test func largePieceIsWrittenAtOnce() {
    target.room = 1 << 20
    var (activities, drains) = (0, 0)
    queue.activity = { activities += 1 }
    countDrains { drains += 1 }
    #expect(!queue.hasWritten)
    #expect(write(raw: bytes(4_096)))
    #expect(target.offers == [4_096] && target.bytes == bytes(4_096))
    #expect(queue.hasWritten && queue.writtenCount == 4_096 && queue.waitingCount == 0)
    #expect(activities == 1 && drains == 1)
    #expect(write(raw: bytes(4_095)))
    #expect(target.offers == [4_096] && queue.waitingCount == 4_095)
  }

  @Test func restOfLargePieceWaits() {
    target.room = 1_000
    #expect(queue.write(bytes(5_000)))
    #expect(target.bytes.count == 1_000 && queue.waitingCount == 4_000)
    inputOutput.runTasks()
    target.becomeWritable()
    #expect(target.bytes == bytes(5_000) && queue.waitingCount == 0)
  }

  @Test func failedLargePieceIsRefused() {
    target.failure = .system(EIO)
    #expect(!queue.write(bytes(5_000)))
    #expect(queue.hasEnded && target.ends == ["failed"])
  }

  @Test("Small pieces of 16 KiB are written before the end of the turn")
  func manySmallPiecesAreWrittenPromptly() {
    target.room = 1 << 20
    queue.limit = 1 << 18
    for _ in 0..<15 { #expect(write(raw: bytes(1_024))) }
    #expect(target.offers.isEmpty)
    #expect(write(raw: bytes(1_024)))
    #expect(target.offers == [16_384] && queue.waitingCount == 0)
  }

  @Test("A flush writes at most 1 MiB, and the rest is written in later turns")
  func flushLeavesRestToNextTurn() {
    target.room = 1 << 30
    #expect(queue.write([1]) && queue.write([2]))
    #expect(queue.write([UInt8](repeating: 3, count: 3 << 20)))
    for turn in 1...3 {
      #expect(target.bytes.count == turn << 20)
      inputOutput.runTasks()
    }
    #expect(target.bytes.count == 3 << 20 + 2 && queue.waitingCount == 0)
  }

  @Test("A target without room gets no bytes before it has room")
  func blockedTargetIsLeftAlone() {
    #expect(queue.write([1]))
    queue.flush()
    #expect(queue.write(bytes(20_000)))
    inputOutput.runTasks()
    #expect(target.offers == [1])
    target.becomeWritable()
    #expect(target.bytes == [1] + bytes(20_000))
  }

  @Test func pieceOfCompletionIsDrainedOnce() {
    target.room = 1 << 20
    var drains = 0
    countDrains { drains += 1 }
    let isTaken = queue.write([1]) { [queue] _ in
      _ = queue.write(bytes(5_000))
      queue.flush()
    }
    #expect(isTaken)
    inputOutput.runTasks()
    #expect(target.bytes == [1] + bytes(5_000))
    #expect(drains == 1)
  }

  @Test func completionIsNotCalledInsideLaterWrite() {
    var completions = 0
    _ = queue.write([]) { _ in completions += 1 }
    #expect(queue.write(bytes(5_000)))
    #expect(completions == 0)
    inputOutput.runTasks()
    #expect(completions == 1)
  }

  @Test("Activity is reported when bytes begin to wait, and when some are written")
  func activityIsReported() {
    var activities = 0
    queue.activity = { activities += 1 }
    #expect(queue.write([1]) && queue.write([2]))
    #expect(activities == 1)
    target.room = 1
    inputOutput.runTasks()
    #expect(activities == 2)
    target.becomeWritable()
    #expect(activities == 3)
    _ = queue.write([]) { _ in }
    #expect(activities == 4)
    inputOutput.runTasks()
    #expect(activities == 4 && queue.writtenCount == 2)
  }

  @Test func writtenChunkIsUsedAgain() {
    target.room = 1
    let chunk = inputOutput.takeChunk()
    inputOutput.recycle(chunk)
    #expect(queue.write([1]))
    inputOutput.runTasks()
    #expect(inputOutput.takeChunk() === chunk && chunk.count == 0)
  }

  // MARK: - Limit

  @Test("A full queue takes only forced pieces, and a finished queue takes none")
  func fullQueueRefuses() {
    func write(isForced: Bool) -> [Bool] {
      [
        self.write(raw: [1], isForced: isForced), queue.write(bytes(5_000), isForced: isForced),
        queue.write([1], isForced: isForced) { _ in }, send(10, isForced: isForced),
      ]
    }
    #expect(queue.write(bytes(1_000)))
    #expect(write(isForced: false) == [false, false, false, false])
    let file = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    #expect(!queue.pass([file], with: [1]))
    // The default.
    #expect(!queue.send(file: file, at: 0, count: 1, completion: nil))
    #expect(queue.waitingCount == 1_000)
    #expect(write(isForced: true) == [true, true, true, true])
    #expect(queue.waitingCount == 1_000 + 1 + 5_000 + 1 + 10)
    queue.finish()
    #expect(write(isForced: true) == [false, false, false, false])
    #expect(queue.waitingCount == 1_000 + 1 + 5_000 + 1 + 10)
  }

  @Test func queueIsWritableFromHalfOfItsLimit() {
    let isWritable = queue.isWritable
    #expect(queue.write(bytes(999)) && isWritable.value)
    #expect(queue.write([0]) && !isWritable.value)
    inputOutput.runTasks()
    target.becomeWritable(room: 499)
    #expect(!isWritable.value)
    target.becomeWritable(room: 1)
    #expect(isWritable.value)
  }

  @Test("After a refusal because of a lowered limit, the queue tells when it has room")
  func loweredLimitRefuses() {
    let isWritable = queue.isWritable
    #expect(queue.write(bytes(600)))
    queue.limit = 500
    #expect(!queue.write([1]) && !isWritable.value)
    inputOutput.runTasks()
    target.becomeWritable()
    #expect(isWritable.value)
  }

  @Test func roomIsExact() {
    #expect(queue.hasRoom(for: 5_000))
    #expect(queue.write(bytes(600)))
    #expect(queue.hasRoom(for: 400) && !queue.hasRoom(for: 401))
    queue.finish()
    #expect(!queue.hasRoom(for: 0))
  }

  @Test func fileTakesNoRoom() {
    #expect(send(5_000, isForced: false))
    #expect(queue.write(bytes(600)))
    inputOutput.runTasks()
    func check(room: Int) {
      #expect(queue.hasRoom(for: room) && !queue.hasRoom(for: room + 1))
    }
    check(room: 400)
    target.becomeWritable(room: 2_000)
    #expect(queue.waitingCount == 3_600)
    check(room: 400)
    target.becomeWritable(room: 3_100)
    #expect(queue.waitingCount == 500)
    check(room: 500)
  }

  // MARK: - Dropping

  @Test func pieceThatFitsDropsNothing() {
    queue.overflow = .dropOldest
    var states: [Bool] = []
    queue.isWritable.observeNext { states.append($0) }
    #expect(queue.write(bytes(400)) && queue.write(bytes(400)))
    #expect(queue.waitingCount == 800 && states == [true])
  }

  @Test func queueIsNotWritableAfterDropping() {
    queue.overflow = .dropOldest
    let isWritable = queue.isWritable
    #expect(queue.write(bytes(600)) && queue.write(bytes(600)))
    #expect(queue.waitingCount == 600 && !isWritable.value)
    inputOutput.runTasks()
    target.becomeWritable()
    #expect(isWritable.value)
  }

  @Test("A piece larger than the limit does not drop a file before it")
  func fileIsNotDroppedForFirstPiece() {
    queue.overflow = .dropOldest
    #expect(send(5_000, isForced: false))
    #expect(queue.write(bytes(1_200)))
    #expect(queue.waitingCount == 6_200)
  }

  @Test func droppedFileTakesNoRoom() {
    queue.overflow = .dropOldest
    #expect(send(100, isForced: false))
    #expect(queue.write(bytes(600)) && queue.write(bytes(600)))
    #expect(queue.waitingCount == 600)
    #expect(queue.hasRoom(for: 400) && !queue.hasRoom(for: 401))
  }

  @Test("A dropped file makes no room in memory")
  func droppedFileFreesNoMemory() {
    queue.overflow = .dropOldest
    #expect(send(5_000, isForced: false))
    #expect(queue.write(bytes(600)) && queue.write(bytes(600)))
    #expect(queue.waitingCount == 600)
  }

  @Test func begunPieceIsNotDropped() {
    queue.overflow = .dropOldest
    target.room = 1_000
    #expect(queue.write(bytes(1_500)))
    #expect(queue.write([1]) && queue.write(bytes(500)))
    #expect(queue.waitingCount == 1_000)
    inputOutput.runTasks()
    target.becomeWritable()
    #expect(target.bytes == bytes(1_500) + bytes(500))
  }

  // MARK: - Sources

  private final class Source: PausableSource {
    private(set) var pauses = 0
    func pause() { pauses += 1 }
    func resume() { pauses -= 1 }
  }

  private let source = Source()

  @Test func fullQueueHoldsSource() {
    #expect(queue.write(bytes(999)))
    queue.holdIfFull(source)
    #expect(source.pauses == 0)
    #expect(queue.write([1]))
    queue.holdIfFull(source)
    #expect(source.pauses == 1)
    inputOutput.runTasks()
    target.becomeWritable()
    #expect(source.pauses == 0)
  }

  @Test func queueWithLoweredLimitHoldsSource() {
    #expect(queue.write(bytes(600)))
    queue.limit = 500
    queue.holdIfFull(source)
    #expect(source.pauses == 1)
    inputOutput.runTasks()
    target.becomeWritable()
    #expect(source.pauses == 0)
  }

  @Test func finishedQueueHoldsNoSource() {
    #expect(queue.write(bytes(1_000)))
    queue.finish()
    queue.holdIfFull(source)
    #expect(source.pauses == 0)
  }

  @Test(arguments: [(Overflow.wait, 1), (.fail, 0), (.dropOldest, 0)])
  func sourceThatFillsQueueIsHeld(_ overflow: Overflow, _ pauses: Int) {
    queue.overflow = overflow
    #expect(Delivery.from(source) { queue.write(bytes(1_000)) })
    #expect(source.pauses == pauses)
    queue.fail(.system(EIO))
    #expect(source.pauses == 0)
  }

  // MARK: - Rate

  @Test func rateHoldsForLargePieces() {
    target.room = 1 << 20
    queue.limit = 1 << 18
    // The bytes of a tenth of a second may be written at once.
    queue.setRate(RateMeter(bytesPerSecond: 10_000, on: TestScheduler()))
    #expect(queue.write(bytes(5_000)))
    #expect(target.offers.isEmpty)
    inputOutput.runTasks()
    #expect(target.offers == [1_000])
    #expect(queue.write(bytes(5_000)))
    inputOutput.runTasks()
    #expect(target.offers == [1_000])
    queue.setRate(nil)
    #expect(target.bytes == bytes(5_000) + bytes(5_000))
  }

  // MARK: - End

  @Test func queueWithoutTargetHasEnded() {
    let queue = WriteQueue(nil, inputOutput)
    var log: [String] = []
    queue.drained.observe(next: {}, failed: { _ in }, completed: { log.append("completed") })
    #expect(queue.hasEnded && log == ["completed"])
    #expect(!queue.write([1]) && !queue.isWritable.value)
  }

  @Test("An observer of drained after the end receives the end")
  func endIsForLaterObservers() {
    var log: [String] = []
    func observe() {
      queue.drained.observe(
        next: {}, failed: { log.append("\($0)") }, completed: { log.append("completed") })
    }
    observe()
    let error = DescriptorError.system(EIO)
    queue.fail(error)
    observe()
    #expect(log == ["\(error)", "\(error)"])
  }

  @Test func endedQueueIsNotWritable() {
    let finished = queue.isWritable
    #expect(queue.write([1]))
    queue.finish()
    #expect(!queue.hasEnded && !finished.value)
    let other = WriteQueue(RoomTarget(), inputOutput)
    let failed = other.isWritable
    other.fail(.system(EIO))
    #expect(!failed.value)
  }

  @Test func failureReachesEachWaitingPiece() {
    var errors: [DescriptorError?] = []
    for _ in 0..<3 { _ = queue.write([1]) { errors.append($0) } }
    target.room = 1
    inputOutput.runTasks()
    queue.fail(.system(EIO))
    #expect(errors == [nil, .system(EIO), .system(EIO)])
  }

  @Test func completionMayEndQueue() {
    target.room = 2
    var completions = 0
    _ = queue.write([1]) { [queue] _ in queue.fail(.system(EIO)) }
    _ = queue.write([2]) { _ in completions += 1 }
    var log: [String] = []
    queue.drained.observe(next: { log.append("drained") }, failed: { _ in log.append("failed") })
    inputOutput.runTasks()
    #expect(target.ends == ["failed"] && log == ["failed"] && completions == 1)
    #expect(queue.waitingCount == 0)
  }

  @Test func endedQueueReleasesItsParts() {
    weak var rate: RateMeter?
    weak var captured: Source?
    do {
      let (meter, source) = (RateMeter(bytesPerSecond: 10, on: TestScheduler()), Source())
      (rate, captured) = (meter, source)
      queue.setRate(meter)
      queue.activity = { source.pause() }
    }
    #expect(rate != nil && captured != nil)
    queue.finish()
    #expect(rate == nil && captured == nil)
  }

  // MARK: - Bindings

  @Test("A failure ends its own binding after the others, and a finished queue ends both")
  func endOfBindings() {
    func bind(to queue: WriteQueue) -> (own: Disposable, other: Disposable) {
      let bindings = (own: Disposable(), other: Disposable())
      queue.end(with: bindings.own)
      queue.end(with: bindings.other)
      queue.markOwn(bindings.own)
      return bindings
    }
    let bindings = bind(to: queue)
    queue.endBindingsIfEnded()
    #expect(!bindings.own.isDisposed && !bindings.other.isDisposed)
    queue.fail(.system(EIO))
    #expect(!bindings.own.isDisposed && bindings.other.isDisposed)
    queue.endBindingsIfEnded()
    #expect(bindings.own.isDisposed && queue.bindings.isEmpty)
    let finished = WriteQueue(RoomTarget(), inputOutput)
    let others = bind(to: finished)
    finished.finish()
    #expect(others.own.isDisposed && others.other.isDisposed && finished.bindings.isEmpty)
  }

  @Test func endedBindingsAreForgotten() {
    var kept: [Disposable] = []
    for number in 0..<100 {
      let binding = Disposable()
      queue.end(with: binding)
      if number % 2 == 0 {
        binding.dispose()
        kept.append(binding)
      }
    }
    #expect(kept.count == 50 && queue.bindings.count <= 4)
  }
}
