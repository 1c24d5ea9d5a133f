import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ChainLinkTests {
  /// Returns a chain of `count` operators whose source captures `captive`.
  private static func chain(
    of count: Int, _ captive: Captive, _ step: (EventStream<Int, Never>) -> EventStream<Int, Never>
  ) -> EventStream<Int, Never> {
    let source = EventStream<Int, Never>.deferred {
      captive.hold()
      return .just(0)
    }
    return (0..<count).reduce(source) { chain, _ in step(chain) }
  }

  private static let steps: [@Sendable (EventStream<Int, Never>) -> EventStream<Int, Never>] = [
    { $0.map { $0 + 1 } }, { $0.filter { _ in true } }, { $0.flatMap { .just($0) } },
    { $0.append(.completed) }, { $0.take(2) }, { $0.scan(0, +) }, { $0.debug(print: { _ in }) },
  ]

  /// A thread's stack has room for some tens of thousands of nested releases.
  @Test(arguments: steps.indices)
  func releasingALongChainDoesNotRecurse(_ index: Int) {
    var releases = 0
    var chain: EventStream<Int, Never>? = Self.chain(
      of: 300_000, Captive { releases += 1 }, Self.steps[index])
    #expect(releases == 0)
    withExtendedLifetime(chain) {}
    chain = nil
    #expect(releases == 1)
  }

  /// Covers chains with more than one link between the source and the observer.
  @Test func eventsPassThroughTheLinks() {
    let chain = Self.chain(of: 1_000, Captive()) { $0.map { $0 + 1 } }
    #expect(chain.record().events == [.next(1_000), .completed])
    #expect(chain.record().events == [.next(1_000), .completed])
  }

  /// Releasing a captured object may create and release another long chain.
  @Test func releasesMayNest() {
    var releases = 0
    var chain: EventStream<Int, Never>? = Self.chain(
      of: 1_000,
      Captive {
        _ = Self.chain(of: 1_000, Captive { releases += 1 }) { $0.map { $0 + 1 } }
        releases += 1
      }
    ) { $0.map { $0 + 1 } }
    withExtendedLifetime(chain) {}
    chain = nil
    #expect(releases == 2)
  }
}
