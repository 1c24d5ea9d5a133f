import Foundation
import RunnelTesting
import Testing

@testable import ExampleFiles

/// Runs the marble diagrams in the documentation of the operators, in virtual time.
@Suite struct MarbleTests {
  /// Operators that leave the context. There is no virtual time on the other one.
  private static let crossings: Set = [
    "observe(on: loop)", "perform(on: pool) { read() }", "task { await load() }",
    "EventStream(sequence)", "on the other context", "via(loop) { $0 }",
  ]

  /// The events that a run has sent in a row of a diagram. They are frames and texts, such as `4:a`.
  struct Shown: Codable, Equatable {
    let label: String
    let start: Int
    let events: [String]
  }

  private static func diagrams() throws -> [DocumentationBlock] {
    try PackageFiles.all(below: "Sources/RunnelStreams", ending: ".swift")
      .flatMap(DocumentationBlock.all(in:)).filter { $0.kind == .marble }
  }

  @Test func eachDiagramShowsWhatARunSends() throws {
    let runs = MarbleRuns().runs
    var unused = Set(runs.keys)
    let diagrams = try Self.diagrams()
    #expect(diagrams.count >= 120)
    for diagram in diagrams {
      let rows = MarbleRow.all(in: diagram)
      if rows.contains(where: { Self.crossings.contains($0.label) }) { continue }
      unused.subtract(rows.map(\.label))
      var unexplained = Dictionary(rows.map { ($0.label, $0.drawing) }) { $1 }
      for bench in Self.benches(of: rows, runs) {
        for (label, start, marks) in Self.results(of: bench) {
          let drawing = MarbleRow.drawing(of: marks, from: start)
          let expected = unexplained.removeValue(forKey: label)
          #expect(drawing == expected, "\(diagram.file):\(diagram.line): \(label)")
        }
        for label in bench.inputs.keys { unexplained[label] = nil }
      }
      #expect(unexplained == [:], "\(diagram.file):\(diagram.line): these rows were not run.")
    }
    #expect(unused == [], "No diagram has these labels.")
  }

  /// The site draws its diagrams from a file of runs, which RECORD_MARBLES=1 writes.
  @Test func theDiagramsOfTheSiteAreRuns() throws {
    let runs = MarbleRuns().runs
    var all: [String: [Shown]] = [:]
    for diagram in try Self.diagrams() {
      let rows = MarbleRow.all(in: diagram)
      var shown: [String: Shown] = [:]
      for bench in Self.benches(of: rows, runs) {
        for (label, start, marks) in Self.results(of: bench) {
          shown[label] = Self.shown(label, start, marks)
        }
        for (label, marks) in bench.inputs {
          let start = rows.first { $0.label == label }?.start ?? 0
          shown[label] = Self.shown(label, start, marks)
        }
      }
      if !shown.isEmpty {
        all[diagram.lines.joined(separator: "\n")] = rows.compactMap { shown[$0.label] }
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try all.sorted { $0.key < $1.key }
      .map { String(decoding: try encoder.encode([$0.key: $0.value]), as: UTF8.self) }
    let text = lines.joined(separator: "\n") + "\n"
    let file = PackageFiles.root.appending(path: "Documentation/Site/marbles.jsonl")
    if ProcessInfo.processInfo.environment["RECORD_MARBLES"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded, "Run this test with RECORD_MARBLES=1, and look at the difference.")
  }

  private static func shown(
    _ label: String, _ start: Int, _ marks: [(frame: Int, text: String)]
  ) -> Shown {
    Shown(label: label, start: start, events: marks.map { "\($0.frame):\($0.text)" })
  }

  /// Returns a bench for each row that a run has, with its streams.
  private static func benches(
    of rows: [MarbleRow], _ runs: [String: (MarbleBench) -> Void]
  ) -> [MarbleBench] {
    rows.compactMap { row in
      guard let run = runs[row.label] else { return nil }
      let bench = MarbleBench(rows, result: row.label)
      run(bench)
      return bench
    }
  }

  private static func results(
    of bench: MarbleBench
  ) -> [(label: String, start: Int, marks: [(frame: Int, text: String)])] {
    var results: [(label: String, start: Int, marks: [(frame: Int, text: String)])] = []
    // Some operators log a failure.
    _ = LogRecorder { results = bench.results() }
    return results
  }
}
