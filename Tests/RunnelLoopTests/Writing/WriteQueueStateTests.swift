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

  @Test func queueChangesAsDrawn() {
    let table = stateTable { (state: State, event: Event?) in
      let target = RoomTarget()
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
    #expect(
      table == """
        open: open, 0 bytes
          write: open, 600 bytes
          writeMuch: open, 5000 bytes
          finish: ended, 0 bytes, target finished
          brokenPipe: ended, 0 bytes, target failed
          error: failed, 0 bytes, target failed
        scheduled: open, 600 bytes
          write: open, 1200 bytes
          writeMuch: open, 5600 bytes
          finish: finishing, 600 bytes
          brokenPipe: ended, 0 bytes, target failed
          error: failed, 0 bytes, target failed
        waiting: open, 600 bytes
          write: open, 1200 bytes
          writeMuch: open, 5600 bytes
          room: open, 0 bytes, drained
          finish: finishing, 600 bytes
          brokenPipe: ended, 0 bytes, target failed
          error: failed, 0 bytes, target failed
        full: open, 5000 bytes
          write: refused, open, 5000 bytes
          writeMuch: refused, open, 5000 bytes
          room: open, 0 bytes, drained
          finish: finishing, 5000 bytes
          brokenPipe: ended, 0 bytes, target failed
          error: failed, 0 bytes, target failed
        finishing: finishing, 600 bytes
          write: refused, finishing, 600 bytes
          writeMuch: refused, finishing, 600 bytes
          room: ended, 0 bytes, target finished
          brokenPipe: ended, 0 bytes, target failed
          error: failed, 0 bytes, target failed
        ended: ended, 0 bytes, target finished
          write: refused, ended, 0 bytes, target finished
          writeMuch: refused, ended, 0 bytes, target finished
        failed: failed, 0 bytes, target failed
          write: refused, failed, 0 bytes, target failed
          writeMuch: refused, failed, 0 bytes, target failed
        """)
  }

  @Test func queueHasRoomAfterDroppedBytes() {
    let target = RoomTarget(room: 1 << 20)
    let queue = WriteQueue(target, InputOutput())
    queue.limit = 1_000
    queue.overflow = .dropOldest
    let isWritable = queue.isWritable
    #expect(queue.write([UInt8](repeating: 0, count: 600)) { _ in })
    #expect(queue.write([UInt8](repeating: 0, count: 1_000)))
    #expect(queue.waitingCount == 0)
    #expect(isWritable.value)
  }

  @Test("Bytes that are written before the end of the turn drain the queue once")
  func promptBytesDrainOnce() {
    let target = RoomTarget(room: 1 << 20)
    let inputOutput = InputOutput()
    let queue = WriteQueue(target, inputOutput)
    var drained = 0
    queue.drained.observe(next: { drained += 1 }, failed: { _ in })
    #expect(queue.write([UInt8](repeating: 0, count: 100)))
    #expect(queue.write([UInt8](repeating: 0, count: 20_000)))
    #expect(queue.waitingCount == 0)
    inputOutput.runTasks()
    #expect(drained == 1)
  }
}
