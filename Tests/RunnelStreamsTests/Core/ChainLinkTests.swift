import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ChainLinkTests {
  private typealias Numbers = EventStream<Int, Never>

  /// Returns a chain of `count` operators whose source captures `captive`.
  private static func chain(
    of count: Int, _ captive: Captive, _ step: (Numbers) -> Numbers
  ) -> Numbers {
    let source = Numbers.deferred {
      captive.hold()
      return .just(0)
    }
    return (0..<count).reduce(source) { chain, _ in step(chain) }
  }

  private static let steps: [@Sendable (Numbers) -> Numbers] = [
    { $0.map { $0 + 1 } }, { $0.filter { _ in true } }, { $0.flatMap { .just($0) } },
    { $0.append(.completed) }, { $0.take(2) }, { $0.scan(0, +) }, { $0.debug(print: { _ in }) },
    // Operators with several sources, where the chain goes through the first or the last one.
    { $0.merge(Numbers.never) }, { Numbers.never.merge($0) }, { Numbers.completed.append($0) },
    { .concat([.completed, $0]) }, { .amb(.never, $0) },
    { $0.combineLatest(Numbers.just(0)).map { $0.0 } },
    { Numbers.just(0).combineLatest($0).map { $0.1 } },
    { EventStream.combineLatest([$0]).map { $0[0] } },
    { EventStream.zip([Numbers.just(0), $0]).map { $0[1] } },
    { Numbers.just(0).zip($0).map { $0.1 } }, { $0.withLatestFrom(Numbers.just(0)).map { $0.0 } },
    { Numbers.just(0).withLatestFrom($0).map { $0.1 } }, { Numbers.just(0).take(until: $0) },
    { Numbers.just(0).skip(until: $0) }, { Numbers.just(0).sample(by: $0) },
    { Numbers.just(0).pausable(by: $0.map { $0 > 0 }) }, { $0.ifEmpty(switchTo: .just(1)) },
    { Numbers.completed.ifEmpty(switchTo: $0) },
    { Numbers.never.timeout(after: .seconds(1), switchingTo: $0) },
    // Operators that share.
    { $0.share() }, { $0.share(replay: 1, scope: .forever) }, { $0.driver.stream },
    { $0.pulse.map { $0 }.stream }, { $0.publish().autoconnect() }, { $0.replay(1).stream },
  ]

  /// A thread's stack has room for some tens of thousands of nested releases.
  @Test(arguments: steps.indices)
  func releasingALongChainDoesNotRecurse(_ index: Int) {
    var releases = 0
    var chain: Numbers? = Self.chain(
      of: 40_000, Captive { releases += 1 }, Self.steps[index])
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
    var chain: Numbers? = Self.chain(
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
