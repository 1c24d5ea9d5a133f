import Testing

@testable import RunnelDBus

@Suite struct ReplyBacklogTests {
  @Test func waitingRepliesAreCounted() {
    var backlog = ReplyBacklog()
    backlog.add(replyWithBody: 100, waiting: 0)
    #expect(backlog.bytes == 0)
    backlog.add(replyWithBody: 100, waiting: 1)
    backlog.add(replyWithBody: nil, waiting: 2)
    backlog.add(replyWithBody: 500, waiting: 3)
    let both = backlog.bytes
    #expect(both > 600)
    backlog.trim(to: 2)
    let one = backlog.bytes
    #expect(both - one > 100 && one > 500)
    // The message that is no reply.
    backlog.trim(to: 1)
    #expect(backlog.bytes == one)
    backlog.trim(to: 0)
    #expect(backlog.bytes == 0)
  }

  @Test func longQueueKeepsTheSum() {
    var backlog = ReplyBacklog()
    var sizes: [Int] = []
    for step in 0..<10_000 {
      backlog.add(replyWithBody: step, waiting: sizes.count + 1)
      sizes.append(step)
      if step % 3 == 2 { sizes.removeFirst(2) }
      backlog.trim(to: sizes.count)
    }
    // Each reply counts as its body and a constant.
    let overhead = backlog.bytes - sizes.reduce(0, +)
    #expect(!sizes.isEmpty && overhead == sizes.count * 1_024)
  }
}
