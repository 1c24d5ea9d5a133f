import Testing

@testable import RunnelDesk

@Suite struct TableLinesTests {
  private func lines(_ sections: [(Int, Bool)]) -> TableLines {
    TableLines(sections.map { (rowCount: $0.0, hasHeading: $0.1) })
  }

  @Test func linesAreHeadingsAndRows() {
    let lines = self.lines([(2, true), (0, true), (1, false), (0, false), (2, true)])
    let all: [TableLines.Line] = [
      .heading(0), .row(0), .row(1), .heading(1), .row(2), .heading(4), .row(3), .row(4),
    ]
    #expect(lines.count == 8 && lines.rowCount == 5 && lines.sectionCount == 5)
    #expect((0..<8).map { lines[$0] } == all)
    #expect((0..<5).map { all[lines.line(ofRow: $0)] } == (0..<5).map { .row($0) })
    #expect((0...8).map { lines.firstRow(from: $0) } == [0, 0, 1, 2, 2, 3, 3, 4, 5])
    #expect(lines.rows(inLines: 1..<5) == 0..<3 && lines.rows(inLines: 3..<4) == 2..<2)
    #expect((0..<5).map { "\(lines.path(ofRow: $0))" } == ["0.0", "0.1", "2.0", "4.0", "4.1"])
  }

  @Test func sectionsCanChange() {
    var lines = self.lines([(2, true), (1, false)])
    lines.setRowCount(0, ofSection: 0)
    lines.insertSection(rowCount: 3, hasHeading: true, at: 1)
    lines.removeSection(at: 2)
    #expect(
      (0..<lines.count).map { lines[$0] } == [
        .heading(0), .heading(1), .row(0), .row(1), .row(2),
      ])
  }
}
