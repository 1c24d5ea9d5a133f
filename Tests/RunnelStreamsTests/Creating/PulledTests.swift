import RunnelStreams
import RunnelTesting
import Testing

@Suite struct PulledTests {
  private typealias Stream = EventStream<Int, LoadError>

  private enum LoadError: Error, Equatable { case offline }

  /// Returns a stream of two elements for each part.
  private func parts(_ count: Int) -> Stream {
    .deferred {
      var made = 0
      return .pulled {
        made += 1
        return made > count ? nil : .sequence([2 * made - 1, 2 * made])
      }
    }
  }

  @Test func partsFollowEachOther() {
    var events: [StreamEvent<Int, LoadError>] = []
    let stream = parts(2)
    stream.observe { events.append($0) }
    #expect(events == [.next(1), .next(2), .next(3), .next(4), .completed])
    // Each observation has its own parts.
    stream.observe { events.append($0) }
    #expect(events.count == 10)
  }

  @Test func manyPartsNeedNoStack() {
    var count = 0
    parts(100_000).observe(next: { _ in count += 1 }, failed: { _ in })
    #expect(count == 200_000)
  }

  @Test func latePartIsWaitedFor() {
    let scheduler = TestScheduler()
    var made = 0
    var elements: [Int] = []
    Stream.pulled {
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
    var made = 0
    var events: [StreamEvent<Int, LoadError>] = []
    Stream.pulled {
      made += 1
      return Stream.just(1).append(.failed(.offline))
    }.observe { events.append($0) }
    #expect(events == [.next(1), .failed(.offline)] && made == 1)
  }

  @Test func disposalEndsThePartAndTheClosure() {
    let part = Subject<Int, LoadError>()
    var made = 0
    var elements: [Int] = []
    let observation = Stream.pulled {
      made += 1
      return part.stream
    }.observe(next: { elements.append($0) }, failed: { _ in })
    part.next(1)
    observation.dispose()
    part.next(2)
    part.completed()
    #expect(elements == [1] && made == 1)
    // Within an element.
    parts(5).take(3).observe(next: { elements.append($0) }, failed: { _ in })
    #expect(elements == [1, 1, 2, 3])
  }
}
