import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

/// Streams whose parts are made as fast as writers take them.
@Suite struct PulledTests {
  private typealias Stream = EventStream<Int, LoadError>

  private enum LoadError: Error, Equatable { case offline }

  /// Returns a stream of two elements for each part.
  private func parts(_ count: Int, on network: TestNetwork) -> Stream {
    .deferred {
      var made = 0
      return .pulled(on: network) {
        made += 1
        return made > count ? nil : .sequence([2 * made - 1, 2 * made])
      }
    }
  }

  @Test func partsFollowEachOther() {
    let network = TestNetwork(on: TestScheduler())
    var events: [StreamEvent<Int, LoadError>] = []
    let stream = parts(2, on: network)
    stream.observe { events.append($0) }
    #expect(events == [.next(1), .next(2), .next(3), .next(4), .completed])
    // Each observation has its own parts.
    stream.observe { events.append($0) }
    #expect(events.count == 10)
  }

  @Test func manyPartsNeedNoStack() {
    let network = TestNetwork(on: TestScheduler())
    var count = 0
    parts(100_000, on: network).observe(next: { _ in count += 1 }, failed: { _ in })
    #expect(count == 200_000)
  }

  @Test func latePartIsWaitedFor() {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    var made = 0
    var elements: [Int] = []
    Stream.pulled(on: network) {
      made += 1
      return made > 2
        ? nil : EventStream<Void, LoadError>.timer(after: .seconds(1), on: scheduler).map { made }
    }.observe(next: { elements.append($0) }, failed: { _ in })
    #expect(made == 1 && elements == [])
    scheduler.advance(by: .seconds(1))
    #expect(made == 2 && elements == [1])
    scheduler.run()
    #expect(made == 3 && elements == [1, 2])
  }

  @Test func failureEndsTheStream() {
    let network = TestNetwork(on: TestScheduler())
    var made = 0
    var events: [StreamEvent<Int, LoadError>] = []
    Stream.pulled(on: network) {
      made += 1
      return Stream.just(1).append(.failed(.offline))
    }.observe { events.append($0) }
    #expect(events == [.next(1), .failed(.offline)] && made == 1)
  }

  @Test func disposalEndsThePartAndTheClosure() {
    let network = TestNetwork(on: TestScheduler())
    let part = Subject<Int, LoadError>()
    var made = 0
    var elements: [Int] = []
    let observation = Stream.pulled(on: network) {
      made += 1
      return part.stream
    }.observe(next: { elements.append($0) }, failed: { _ in })
    part.next(1)
    observation.dispose()
    part.next(2)
    part.completed()
    #expect(elements == [1] && made == 1)
    // Within an element.
    parts(5, on: network).take(3).observe(next: { elements.append($0) }, failed: { _ in })
    #expect(elements == [1, 1, 2, 3])
  }

  @Test("A full writer stops the parts, and the peer receives all of them")
  func fullWriterPausesParts() throws {
    let pair = try Pair()
    pair.far.writer.limit = 10_000
    let line = String(repeating: "x", count: 999) + "\n"
    var made = 0
    EventStream<String, Never>.pulled(on: pair.network) {
      made += 1
      return made > 5_000 ? nil : .sequence([line, line])
    }.bind(to: pair.far.writer)
    pair.scheduler.advance(by: .seconds(1))
    // Nobody reads, so the parts stop when the buffers are full.
    let stopped = made
    #expect(stopped < 5_000)
    pair.scheduler.advance(by: .seconds(1))
    #expect(made == stopped)
    var count = 0
    pair.near.bytes.observe(next: { count += $0.count }, failed: { Issue.record("\($0)") })
    pair.scheduler.advance(by: .seconds(60))
    #expect(made == 5_001 && count == 10_000_000)
  }
}
