import RunnelDesk
import Testing

@Suite struct TextPositionTests {
  @Test func sortsInTextOrder() {
    let positions = [(0, 0), (0, 1), (0, 20), (1, 0), (1, 3), (20, 0)].map {
      TextPosition(line: $0, offset: $1)
    }
    #expect(positions.shuffled().sorted() == positions)
    #expect(positions.first == .start)
    #expect(positions[4].description == "1:3")
  }
}
