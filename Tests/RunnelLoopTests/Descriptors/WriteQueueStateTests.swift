import Glibc
import TestSupport
import Testing

@testable import RunnelLoop

/// Every event of a queue in every state.
@Suite struct WriteQueueStateTests {
  private enum State: CaseIterable {
    case open, scheduled, waiting, full, finishing, ended, failed
  }

  private enum Event: CaseIterable {
    case write, writeMuch, room, endOfTurn, finish, brokenPipe, error
  }

  /// A target with a limited room.
  private final class Target: WriteTarget {
    var room = 0
    var ends: [String] = []
    private var waiting: WriteQueue?

    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult {
      let count = min(room, first.count + second.count)
      room -= count
      return count == 0 ? .blocked : .count(count)
    }

    func waitForRoom(_ queue: WriteQueue) { waiting = queue }

    func becomeWritable() {
      room = 1 << 20
      waiting.take()?.flush()
    }

    func finishWriting() { ends.append("finished") }
    func writingFailed(_ error: DescriptorError) { ends.append("failed") }
  }

  @Test func queueChangesAsDrawn() {
    let table = changes { (state: State, event: Event?) in
      let target = Target()
      let inputOutput = InputOutput()
      let queue = WriteQueue(target, inputOutput)
      queue.limit = 1_000
      var drained = 0
      queue.drained.observe(next: { drained += 1 }, failed: { _ in })
      let piece = [UInt8](repeating: 0, count: 600)
      let much = [UInt8](repeating: 0, count: 5_000)
      switch state {
      case .open: break
      case .scheduled: _ = queue.write(piece)
      case .waiting, .finishing:
        _ = queue.write(piece)
        inputOutput.runTasks()
        if state == .finishing { queue.finish() }
      case .full:
        _ = queue.write(much)
        inputOutput.runTasks()
      case .ended: queue.finish()
      case .failed: queue.fail(.system(EIO))
      }
      var result = ""
      switch event {
      case .write: if !queue.write(piece) { result = "refused, " }
      case .writeMuch: if !queue.write(much) { result = "refused, " }
      case .room: target.becomeWritable()
      case .endOfTurn: inputOutput.runTasks()
      case .finish: queue.finish()
      case .brokenPipe: queue.fail(.system(EPIPE))
      case .error: queue.fail(.system(EIO))
      case nil: break
      }
      switch queue.phase {
      case .open: result += "open"
      case .finishing: result += "finishing"
      case .ended(.completed): result += "ended"
      case .ended(.failed): result += "failed"
      }
      result += ", \(queue.waitingCount) bytes"
      if drained > 0 { result += ", drained" }
      for end in target.ends { result += ", target \(end)" }
      return result
    }
    print(table)
    #expect(table == "")
  }
}
