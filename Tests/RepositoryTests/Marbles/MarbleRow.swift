@testable import ExampleFiles

/// A row of a marble diagram in a documentation comment, such as `map { $0 * 10 }   --10-20-30-|`.
///
/// The column of an event is its frame. An event whose column is taken by the text before it follows that text: at once if
/// both are of the same frame, and otherwise after a dash.
struct MarbleRow {
  let label: String
  /// The column where the timeline begins. Rows that begin later are streams that exist later.
  let start: Int
  let timeline: String

  /// Returns the rows of a diagram.
  static func all(in block: DocumentationBlock) -> [MarbleRow] {
    let rows = block.lines.map { line in
      guard let gap = line.firstRange(of: "  ") else {
        return MarbleRow(label: line, start: 0, timeline: "")
      }
      let begin = line[gap.upperBound...].firstIndex { $0 != " " } ?? line.endIndex
      let rest = line[begin...]
      let end = rest.firstRange(of: "  ")?.lowerBound ?? line.endIndex
      return MarbleRow(
        label: String(line[..<gap.lowerBound]),
        start: line.distance(from: line.startIndex, to: begin), timeline: String(rest[..<end]))
    }
    let first = rows.map(\.start).min() ?? 0
    return rows.map { MarbleRow(label: $0.label, start: $0.start - first, timeline: $0.timeline) }
  }

  /// The number of frames from the first one of the diagram.
  var end: Int { start + timeline.count }

  /// Returns the texts and their frames, from the start of the timeline.
  ///
  /// - Parameter isLong: False if each character is an event.
  func marks(isLong: Bool) -> [(frame: Int, text: String)] {
    var marks: [(frame: Int, text: String)] = []
    var isInside = false
    for (frame, character) in timeline.enumerated() {
      if character == "-" {
        isInside = false
      } else if isInside, isLong, character != "|" {
        marks[marks.count - 1].text.append(character)
      } else {
        marks.append((frame, String(character)))
        isInside = true
      }
    }
    return marks
  }

  /// Returns the row that shows events, without dashes after the last one.
  static func drawing(of events: [(frame: Int, text: String)], from start: Int) -> String {
    var line = String(repeating: " ", count: start)
    var last: Int?
    for (frame, text) in events {
      let distance = frame - line.count
      let isLate = distance < 0 && frame != last && text != "|"
      line += String(repeating: "-", count: isLate ? 1 : max(distance, 0)) + text
      last = frame
    }
    return line
  }

  /// The row as ``drawing(of:from:)`` returns it.
  var drawing: String {
    var line = String(repeating: " ", count: start) + timeline
    while line.hasSuffix("-") { line.removeLast() }
    return line
  }
}
