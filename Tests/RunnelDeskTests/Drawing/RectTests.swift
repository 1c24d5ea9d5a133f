import RunnelDesk
import Testing

@Suite struct RectTests {
  private let rect = Rect(x: 2, y: 3, width: 4, height: 2)

  @Test func containsItsCellsOnly() {
    var cells: [Point] = []
    for y in 0..<10 {
      for x in 0..<10 where rect.contains(Point(x: x, y: y)) { cells.append(Point(x: x, y: y)) }
    }
    #expect(cells.first == Point(x: 2, y: 3))
    #expect(cells.last == Point(x: 5, y: 4))
    #expect(cells.count == 8)
    #expect((rect.maxX, rect.maxY) == (6, 5))
  }

  /// Compares all pairs of small rectangles with their sets of cells.
  @Test func anIntersectionContainsTheCommonCells() {
    let rects = (0..<81).map {
      Rect(x: $0 % 3, y: $0 / 3 % 3, width: $0 / 9 % 3, height: $0 / 27)
    }
    for left in rects {
      for right in rects {
        let both = left.intersection(right)
        for y in 0..<6 {
          for x in 0..<6 {
            let point = Point(x: x, y: y)
            #expect(both.contains(point) == (left.contains(point) && right.contains(point)))
          }
        }
      }
    }
  }

  @Test func insetsAndOffsets() {
    #expect(rect.inset(byX: 1, y: 0) == Rect(x: 3, y: 3, width: 2, height: 2))
    #expect(rect.inset(byX: 3, y: 1).isEmpty)
    #expect(rect.offset(byX: -2, y: 1) == Rect(x: 0, y: 4, width: 4, height: 2))
  }

  @Test func hugeRectsDoNotOverflow() {
    let all = Rect(x: .min, y: 5, width: .max, height: .max)
    #expect(all.maxX == -1)
    #expect(all.maxY == .max)
    #expect(all.intersection(rect).isEmpty)
    #expect(Rect(x: 5, y: 5, width: .max, height: .max).intersection(all).isEmpty)
    #expect(all.offset(byX: -5, y: .max).minX == .min)
    #expect(Rect(x: .max, y: .min, width: 1, height: 1).intersection(rect).isEmpty)
    #expect(rect.inset(byX: .max, y: .max).isEmpty)
    #expect(Rect(x: 0, y: 0, width: -3, height: 2).isEmpty)
  }
}
