/// Consecutive lines of a text, and the lines of another text that replace them.
///
/// Either range may be empty, but not both. A line stays between two hunks.
package struct LineHunk: Hashable, Sendable {
  /// The replaced lines, by index in the old text.
  package let old: Range<Int>
  /// The lines that replace them, by index in the new text.
  package let new: Range<Int>

  package init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }

  /// Returns the hunk with all indices increased.
  package func moved(by count: Int) -> LineHunk {
    LineHunk(
      old: old.lowerBound + count..<old.upperBound + count,
      new: new.lowerBound + count..<new.upperBound + count)
  }

  fileprivate var isEmpty: Bool { old.isEmpty && new.isEmpty }
}

extension LineHunk {
  /// Returns the difference between two texts. `empty` is the value of an empty line, if there is one.
  ///
  /// Only a line that occurs once in both texts shows which parts of the texts belong together, and an
  /// empty line does so only if there is no other. Lines that occur more often match only next to other
  /// matching lines. So an empty line that is inserted at the start does not match another one in the middle, as it would in a
  /// ``ListDifference``. Lines between which no line matches are one hunk.
  ///
  /// *Complexity*: linear where most of the lines stay in order, O(*n* log *n*) at worst.
  package static func hunks<Line: Hashable>(
    from old: [Line], to new: [Line], empty: Line? = nil
  ) -> [LineHunk] {
    // Only the lines between them are numbered.
    let same = EqualEnds(old.count, new.count) { old[$0] == new[$1] }
    var numbers: [Line: Int] = [:]
    func number(_ line: Line) -> Int {
      if let number = numbers[line] { return number }
      let number = numbers.count
      numbers[line] = number
      return number
    }
    let middles = (
      old[same.start..<old.count - same.end].map(number),
      new[same.start..<new.count - same.end].map(number)
    )
    let emptyLine = empty.flatMap { numbers[$0] }
    var comparison = LineComparison(
      old: middles.0, new: middles.1, emptyLine: emptyLine, lineCount: numbers.count)
    return comparison.hunks().map { $0.moved(by: same.start) }
  }
}

/// Two texts whose lines are numbers. Equal lines have the same number.
private struct LineComparison {
  let old: [Int]
  let new: [Int]
  /// The number of the empty line, if there is one.
  private let emptyLine: Int?
  /// The places of all lines in the part that is being split.
  private var places: [Place]

  /// The places of a line in both texts.
  private struct Place {
    /// The index of its last occurrence in the old text.
    var old = 0
    var oldCount = 0
    var newCount = 0
  }

  init(old: [Int], new: [Int], emptyLine: Int?, lineCount: Int) {
    self.old = old
    self.new = new
    self.emptyLine = emptyLine
    places = [Place](repeating: Place(), count: lineCount)
  }

  /// A part of the texts that is split more often is one hunk. This bounds the time.
  private static let maximumDepth = 24

  mutating func hunks() -> [LineHunk] {
    var hunks: [LineHunk] = []
    // The last gap is the first in the text.
    var gaps = [(lines: LineHunk(old: old.indices, new: new.indices), depth: 0)]
    while let (lines, depth) = gaps.popLast() {
      let rest = withoutEqualEnds(lines)
      if rest.isEmpty { continue }
      let parts = depth < Self.maximumDepth ? parts(of: rest) : []
      if parts.isEmpty {
        hunks.append(rest)
      } else {
        gaps += parts.reversed().map { ($0, depth + 1) }
      }
    }
    return hunks
  }

  private func withoutEqualEnds(_ lines: LineHunk) -> LineHunk {
    let (first, newFirst) = (lines.old.lowerBound, lines.new.lowerBound)
    let same = EqualEnds(lines.old.count, lines.new.count) {
      old[first + $0] == new[newFirst + $1]
    }
    return LineHunk(
      old: first + same.start..<lines.old.upperBound - same.end,
      new: newFirst + same.start..<lines.new.upperBound - same.end)
  }

  /// Returns the parts between lines that occur once in both texts and keep their order. Returns an
  /// empty array if there are no such lines.
  private mutating func parts(of lines: LineHunk) -> [LineHunk] {
    if lines.old.isEmpty || lines.new.isEmpty { return [] }
    findPlaces(in: lines)
    // The old index of each line that occurs once in both texts, otherwise -1.
    func anchors(where isCandidate: (Int) -> Bool) -> [Int32] {
      lines.new.map { index in
        let place = places[new[index]]
        let isAnchor = place.oldCount == 1 && place.newCount == 1 && isCandidate(new[index])
        return isAnchor ? Int32(place.old) : -1
      }
    }
    var origins = anchors { $0 != emptyLine }
    if origins.allSatisfy({ $0 < 0 }) { origins = anchors { $0 == emptyLine } }
    var isAnchor = origins.map { $0 >= 0 }
    for index in ListOrigins(origins: origins, oldCount: old.count).moved {
      isAnchor[index] = false
    }
    guard isAnchor.contains(true) else { return [] }
    var parts: [LineHunk] = []
    var (first, newFirst) = (lines.old.lowerBound, lines.new.lowerBound)
    for (index, origin) in zip(lines.new, origins) where isAnchor[index - lines.new.lowerBound] {
      parts.append(LineHunk(old: first..<Int(origin), new: newFirst..<index))
      (first, newFirst) = (Int(origin) + 1, index + 1)
    }
    parts.append(
      LineHunk(old: first..<lines.old.upperBound, new: newFirst..<lines.new.upperBound))
    return parts
  }

  private mutating func findPlaces(in lines: LineHunk) {
    for index in lines.old { places[old[index]] = Place() }
    for index in lines.new { places[new[index]] = Place() }
    for index in lines.old {
      places[old[index]].old = index
      places[old[index]].oldCount += 1
    }
    for index in lines.new { places[new[index]].newCount += 1 }
  }
}
