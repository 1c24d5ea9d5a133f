import RunnelStreams
import Testing

@Suite struct SaturatingArithmeticTests {
  @Test(arguments: Int8.min ... .max) func resultsAreClampedToTheRange(_ left: Int8) {
    let others = Int8.min ... .max
    func clamped(_ operation: (Int, Int) -> Int) -> [Int8] {
      others.map { Int8(clamping: operation(Int(left), Int($0))) }
    }
    #expect(others.map { left.plus($0) } == clamped(+))
    #expect(others.map { left.minus($0) } == clamped(-))
    #expect(others.map { left.times($0) } == clamped(*))
  }
}
