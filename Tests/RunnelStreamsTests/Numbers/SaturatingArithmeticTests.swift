import RunnelStreams
import Testing

@Suite struct SaturatingArithmeticTests {
  @Test func resultsAreClampedToTheRange() {
    for left in Int8.min ... .max {
      for right in Int8.min ... .max {
        let (a, b) = (Int(left), Int(right))
        let results = [left.plus(right), left.minus(right), left.times(right)]
        let expected = [a + b, a - b, a * b].map { Int8(clamping: $0) }
        if results != expected { Issue.record("\(left), \(right): \(results), not \(expected)") }
      }
    }
  }
}
