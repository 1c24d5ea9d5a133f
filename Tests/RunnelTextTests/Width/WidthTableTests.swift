import Testing

@testable import RunnelText

@Suite struct WidthTableTests {
  private let script = TableScript(
    name: "width-table", source: "Sources/RunnelText/Width/WidthTable.swift")

  /// Python may have another Unicode version than the table. Scalars that both know must have one
  /// width.
  @Test func equalsTheOutputOfTheScript() throws {
    let (table, made) = try (script.table, script.made)
    let versions = [TableScript.version(of: table), TableScript.version(of: made)]
    guard versions[0] != versions[1] else { return #expect(made == table) }
    let runs = made.matches(of: #/0x([0-9a-f]+),/#).compactMap { UInt32($0.output.1, radix: 16) }
    #expect(runs.count > 500)
    for (run, next) in zip(runs, runs.dropFirst() + [0x110000 << 2]) {
      for scalar in (run >> 2..<next >> 2).compactMap({ Unicode.Scalar($0) }) {
        guard let age = scalar.properties.age, scalar.properties.generalCategory != .unassigned,
          versions.allSatisfy({ !$0.lexicographicallyPrecedes([age.major, age.minor]) })
        else { continue }
        if scalar.cellWidth != Int(run & 3) { Issue.record("\(scalar.value)") }
      }
    }
  }

  /// Runs are sorted and not empty, and each has another width than the one before.
  @Test func runsAreSorted() {
    let changes = WidthTable.changes
    #expect(changes.first == 1)
    for (run, next) in zip(changes, changes.dropFirst()) {
      #expect(run >> 2 < next >> 2 && run & 3 != next & 3, "\(run)")
    }
    #expect(changes.allSatisfy { $0 & 3 < 3 && $0 >> 2 <= 0x10FFFF })
  }

  /// Some ranges have a fixed width, among them letters and ideographs.
  @Test(
    arguments: [
      (0x0, 1), (0x41, 1), (0x10FFFF, 1), (0x2FF, 1), (0x300, 0), (0x36F, 0), (0x370, 1),
      (0x10FF, 1), (0x1100, 2), (0x115F, 2), (0x1160, 0), (0x11FF, 0), (0x4DFF, 1), (0x4E00, 2),
      (0x9FFF, 2), (0xABFF, 1), (0xAC00, 2), (0xD7A3, 2), (0x1F600, 2), (0x1FAFF, 2), (0x20000, 2),
      (0x3FFFD, 2), (0xE0100, 0), (0xE01EF, 0), (0xE01F0, 1),
    ] as [(UInt32, Int)])
  func edgesOfRunsHaveTheRightWidth(_ value: UInt32, _ width: Int) {
    #expect(Unicode.Scalar(value)?.cellWidth == width)
    // `cellWidth` has a fast path for common scalars.
    let run = WidthTable.changes.last { $0 >> 2 <= value }
    #expect(run.map { Int($0 & 3) } == width)
  }
}
