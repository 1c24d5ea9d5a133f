import RunnelCollections
import Testing

@Suite struct IndexRunsTests {
  @Test func adjacentIndicesAreOneRange() {
    var runs = IndexRuns()
    for range in [0..<2, 2..<2, 2..<3, 7..<1_000_000] { runs.append(range) }
    #expect(runs.ranges == [0..<3, 7..<1_000_000])
    #expect(runs.count == 3 + 999_993)
    #expect(Array(runs.prefix(5)) == [0, 1, 2, 7, 8])
  }

  @Test func emptyRunsHaveNoIndices() {
    #expect(IndexRuns().isEmpty)
    #expect(Array(IndexRuns()) == [])
    #expect("\(IndexRuns())" == "[]")
  }
}
