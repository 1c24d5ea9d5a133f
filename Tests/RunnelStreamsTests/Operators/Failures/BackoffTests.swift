import RunnelStreams
import RunnelTesting
import Testing

@Suite struct BackoffTests {
  private func delays(_ backoff: Backoff, _ count: Int) -> [Duration] {
    Array(backoff.delays().prefix(count))
  }

  @Test func growsByTheFactorUpToTheMaximum() {
    let backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(1), jitter: 0)
    #expect(
      delays(backoff, 6)
        == [
          .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800),
          .seconds(1), .seconds(1),
        ])
    #expect(
      delays(Backoff(initial: .seconds(1), factor: 1.5, jitter: 0), 3)
        == [.seconds(1), .milliseconds(1500), .milliseconds(2250)])
    #expect(delays(Backoff(factor: 1, jitter: 0), 3) == [.seconds(1), .seconds(1), .seconds(1)])
  }

  @Test func doublingNeverOverflows() {
    let longest = Duration(attoseconds: .max)
    let backoff = Backoff(initial: .seconds(1), factor: 2, maximum: longest, jitter: 0)
    let last = delays(backoff, 10_000).last
    #expect(last == longest)
    let steep = Backoff(
      initial: longest, factor: .greatestFiniteMagnitude, maximum: longest, jitter: 1, seed: 1)
    #expect(delays(steep, 100).allSatisfy { $0 >= .zero && $0 <= longest })
  }

  @Test func jitterShortensTheDelayByAFraction() {
    for seed in 0..<100 as Range<UInt64> {
      let backoff = Backoff(initial: .seconds(8), factor: 1, jitter: 0.25, seed: seed)
      #expect(delays(backoff, 20).allSatisfy { $0 > .seconds(6) && $0 <= .seconds(8) })
    }
    let wide = delays(Backoff(initial: .seconds(8), factor: 1, jitter: 1, seed: 7), 1000)
    #expect(wide.contains { $0 < .seconds(1) } && wide.contains { $0 > .seconds(7) })
  }

  @Test func aSeedReproducesTheDelays() {
    #expect(delays(Backoff(seed: 1), 8) == delays(Backoff(seed: 1), 8))
    #expect(delays(Backoff(seed: 1), 8) != delays(Backoff(seed: 2), 8))
    #expect(delays(Backoff(), 8) != delays(Backoff(), 8))
  }

  @Test func aNegativeDurationCountsAsZero() {
    #expect(delays(Backoff(initial: .seconds(-1), jitter: 0), 2) == [.zero, .zero])
    #expect(delays(Backoff(maximum: .seconds(-1)), 2) == [.zero, .zero])
  }

  @Test func trapsOnAFactorBelowOneOrNotFinite() async {
    await #expect(processExitsWith: .failure) { _ = Backoff(factor: 0.5) }
    await #expect(processExitsWith: .failure) { _ = Backoff(factor: .infinity) }
    await #expect(processExitsWith: .failure) { _ = Backoff(factor: .nan) }
  }

  @Test func trapsOnAJitterOutsideZeroToOne() async {
    await #expect(processExitsWith: .failure) { _ = Backoff(jitter: 1.5) }
    await #expect(processExitsWith: .failure) { _ = Backoff(jitter: -0.5) }
  }
}
