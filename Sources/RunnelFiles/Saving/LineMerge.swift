import RunnelCollections

/// A merge of two changes of a file, line by line.
///
///     base     mine     theirs     merged
///     milk     milk!    milk       milk!
///     bread    bread    bread      bread
///     tea      tea      coffee     coffee
///
/// Changes of different lines are both made. Two changes of one line are merged if an unchanged byte
/// lies between them, or if both only insert text at one place of a line that is not empty. Two
/// insertions of lines at one place follow each other. Equal changes are made once. In doubt there is
/// no merge.
enum LineMerge {
  /// Returns contents with both changes; nil if they touch each other.
  static func merged(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    if mine == base || mine == theirs { return theirs }
    if theirs == base { return mine }
    let lines = Line.lines(of: base)
    var one = LineChanges(from: lines, to: Line.lines(of: mine))
    var other = LineChanges(from: lines, to: Line.lines(of: theirs))
    var merged: [Line] = []
    var place = 0
    while var range = first(one.next, other.next) {
      while one.extend(&range) || other.extend(&range) {}
      merged += lines[place..<range.lowerBound]
      let old = Array(lines[range])
      guard let both = self.lines(base: old, one.take(range), other.take(range)) else { return nil }
      merged += both
      place = range.upperBound
    }
    return Line.bytes(of: merged + lines[place...])
  }

  /// Returns the range that begins first. An insertion comes before a change of the line after it.
  private static func first(_ one: Range<Int>?, _ other: Range<Int>?) -> Range<Int>? {
    guard let one, let other else { return one ?? other }
    let order = (one.lowerBound, one.upperBound) < (other.lowerBound, other.upperBound)
    return order ? one : other
  }

  /// Merges changes of the same lines. Each is nil if there is none.
  private static func lines(base: [Line], _ mine: [Line]?, _ theirs: [Line]?) -> [Line]? {
    guard let mine, let theirs, mine != theirs else { return mine ?? theirs }
    if base.isEmpty {
      // If both have inserted the same line, it might be there twice.
      let known = Set(mine).subtracting([Line()])
      return known.isDisjoint(with: theirs) ? mine + theirs : nil
    }
    guard base.count == 1, mine.count == 1, theirs.count == 1 else { return nil }
    return line(base: base[0], mine: mine[0], theirs: theirs[0]).map { [$0] }
  }

  private static func line(base: Line, mine: Line, theirs: Line) -> Line? {
    let (one, other) = (LineEdit(from: base, to: mine), LineEdit(from: base, to: theirs))
    guard one.keepsLine(base), other.keepsLine(base) else { return nil }
    let bothInsert = one.old.isEmpty && one.old == other.old && !base.bytes.isEmpty
    if one.old.upperBound < other.old.lowerBound || bothInsert {
      return one.joined(with: other, in: base)
    }
    return other.old.upperBound < one.old.lowerBound ? other.joined(with: one, in: base) : nil
  }
}

/// The bytes of a line, without its line feed.
private struct Line: Hashable {
  var bytes: ArraySlice<UInt8> = []

  private static let feed = UInt8(ascii: "\n")

  /// Returns the contents before, between and after the line feeds.
  static func lines(of bytes: [UInt8]) -> [Line] {
    bytes.split(separator: feed, omittingEmptySubsequences: false).map { Line(bytes: $0) }
  }

  static func bytes(of lines: [Line]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(feed) }
      bytes += line.bytes
    }
    return bytes
  }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

/// The changed lines of one side of a merge, which are taken from the first to the last.
private struct LineChanges {
  private let lines: [Line]
  private var hunks: ArraySlice<LineHunk>
  /// The number of lines that the changes taken so far have added, minus the lines that they removed.
  private var shift = 0

  init(from old: [Line], to new: [Line]) {
    lines = new
    hunks = LineHunk.hunks(from: old, to: new, empty: Line())[...]
  }

  /// The lines of the base that the next change replaces.
  var next: Range<Int>? { hunks.first?.old }

  /// Extends a range to the changes that overlap it. Returns true if it has become longer.
  func extend(_ range: inout Range<Int>) -> Bool {
    let before = range
    for hunk in hunks {
      guard hunk.overlaps(range) else { break }
      range = range.lowerBound..<max(range.upperBound, hunk.old.upperBound)
    }
    return range != before
  }

  /// Removes the changes in a range. Returns the lines of the range after them; nil if there are none.
  mutating func take(_ range: Range<Int>) -> [Line]? {
    let start = range.lowerBound + shift
    var isChanged = false
    while let hunk = hunks.first, hunk.overlaps(range) {
      shift += hunk.new.count - hunk.old.count
      hunks.removeFirst()
      isChanged = true
    }
    return isChanged ? Array(lines[start..<range.upperBound + shift]) : nil
  }
}

extension LineHunk {
  /// Returns true if the hunk replaces lines of a range that begins before it. Two insertions at one
  /// place overlap. An insertion before or after replaced lines does not overlap them.
  fileprivate func overlaps(_ range: Range<Int>) -> Bool {
    old.lowerBound < range.upperBound || old.isEmpty && old == range
  }
}

/// The smallest replacement of bytes that makes a change of a line. Its ends are boundaries of scalars.
private struct LineEdit {
  let old: Range<Int>
  let new: ArraySlice<UInt8>

  init(from line: Line, to changed: Line) {
    let (base, changed) = (Array(line.bytes), Array(changed.bytes))
    let least = min(base.count, changed.count)
    var start = (0..<least).first { base[$0] != changed[$0] } ?? least
    while start > 0, base.isWithinScalar(start) || changed.isWithinScalar(start) { start -= 1 }
    var same =
      (0..<least - start).first { base[base.count - 1 - $0] != changed[changed.count - 1 - $0] }
      ?? least - start
    while same > 0, base[base.count - same] & 0xC0 == 0x80 { same -= 1 }
    old = start..<base.count - same
    new = changed[start..<changed.count - same]
  }

  /// Returns true if at least three quarters of the letters and digits stay. Otherwise it may be
  /// another line, in which a change of the first one would be wrong.
  func keepsLine(_ base: Line) -> Bool {
    let bytes = Array(base.bytes)
    let (all, replaced) = (bytes[...].letterCount, bytes[old].letterCount)
    return (all - replaced) * 4 >= all * 3
  }

  /// Returns a line with this change and with a change after it.
  func joined(with later: LineEdit, in base: Line) -> Line {
    let base = Array(base.bytes)
    var bytes = Array(base[..<old.lowerBound])
    bytes += new
    bytes += base[old.upperBound..<later.old.lowerBound]
    bytes += later.new
    bytes += base[later.old.upperBound...]
    return Line(bytes: bytes[...])
  }
}

extension [UInt8] {
  /// Returns true if an index is not the start of a scalar of UTF-8.
  fileprivate func isWithinScalar(_ index: Int) -> Bool {
    index < count && self[index] & 0xC0 == 0x80
  }
}

extension ArraySlice<UInt8> {
  /// The number of bytes of letters, digits, and all scalars that are not ASCII.
  fileprivate var letterCount: Int {
    count { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
        true
      default: false
      }
    }
  }
}
