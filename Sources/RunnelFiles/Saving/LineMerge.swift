import RunnelCollections

/// A merge of two changes of a file, line by line.
///
///     base     mine     theirs     merged
///     milk     milk!    milk       milk!
///     bread    bread    bread      bread
///     tea      tea      coffee     coffee
///
/// Changes of the same or adjacent lines are compared byte by byte. They are merged if a byte between
/// them is the same in all three contents, or if both only insert text at one place. Equal changes
/// are merged too.
enum LineMerge {
  /// Returns contents with both changes; nil if they touch each other.
  static func merged(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    if mine == base || mine == theirs { return theirs }
    if theirs == base { return mine }
    let lines = lines(of: base)
    var one = LineChanges(from: lines, to: self.lines(of: mine))
    var other = LineChanges(from: lines, to: self.lines(of: theirs))
    var merged: [UInt8] = []
    var place = 0
    while let start = [one.next?.lowerBound, other.next?.lowerBound].compactMap({ $0 }).min() {
      var range = start..<start
      // The changes of both sides that touch each other.
      while one.extend(&range) || other.extend(&range) {}
      let (left, right) = (one.take(range), other.take(range))
      for line in lines[place..<range.lowerBound] { merged += line }
      let old = Array(lines[range].joined())
      guard let both = bytes(base: old, mine: left ?? old, theirs: right ?? old) else { return nil }
      merged += both
      place = range.upperBound
    }
    for line in lines[place...] { merged += line }
    return merged
  }

  /// Splits bytes into lines, each with its line feed.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      let end = feed.map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }

  /// Merges changes of the same lines.
  private static func bytes(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    if mine == base || mine == theirs { return theirs }
    if theirs == base { return mine }
    let (one, other) = (ByteChange(from: base, to: mine), ByteChange(from: base, to: theirs))
    let bothInsert = one.old.isEmpty && other.old.isEmpty
    if one.old.upperBound < other.old.lowerBound || bothInsert && one.old == other.old {
      return one.joined(with: other, in: base)
    }
    return other.old.upperBound < one.old.lowerBound ? other.joined(with: one, in: base) : nil
  }
}

/// The changed lines of one side of a merge, which are taken from the first to the last.
private struct LineChanges {
  private let lines: [ArraySlice<UInt8>]
  /// Ranges of lines of the base, and the lines that replace them.
  private var hunks: ArraySlice<(old: Range<Int>, new: Range<Int>)> = []
  /// The number of lines that follow a line of the base, minus the number of its predecessors.
  private var shift = 0

  init(from old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]) {
    lines = new
    let difference = ListDifference(from: old, to: new)
    var isGone = [Bool](repeating: false, count: old.count)
    var isNew = [Bool](repeating: false, count: new.count)
    for index in difference.deletes { isGone[index] = true }
    for index in difference.inserts { isNew[index] = true }
    for move in difference.moves {
      isGone[move.from] = true
      isNew[move.to] = true
    }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let (first, second) = (left, right)
      while left < old.count && isGone[left] { left += 1 }
      while right < new.count && isNew[right] { right += 1 }
      if left > first || right > second { hunks.append((first..<left, second..<right)) }
      (left, right) = (left + 1, right + 1)
    }
  }

  /// The lines of the base that the next change replaces.
  var next: Range<Int>? { hunks.first?.old }

  /// Extends a range to the changes that touch it. Returns true if it has become longer.
  func extend(_ range: inout Range<Int>) -> Bool {
    let before = range
    for hunk in hunks {
      if hunk.old.lowerBound > range.upperBound { break }
      range = range.lowerBound..<max(range.upperBound, hunk.old.upperBound)
    }
    return range != before
  }

  /// Removes the changes in a range. Returns the bytes of the range after them; nil if there are none.
  mutating func take(_ range: Range<Int>) -> [UInt8]? {
    let start = range.lowerBound + shift
    var isChanged = false
    while let hunk = hunks.first, hunk.old.lowerBound <= range.upperBound {
      shift += hunk.new.count - hunk.old.count
      hunks.removeFirst()
      isChanged = true
    }
    return isChanged ? Array(lines[start..<range.upperBound + shift].joined()) : nil
  }
}

/// The smallest replacement of bytes with the effect of a change. It does not divide a character.
private struct ByteChange {
  let old: Range<Int>
  let new: ArraySlice<UInt8>

  init(from base: [UInt8], to changed: [UInt8]) {
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

  /// Returns bytes with this change and with a change after it.
  func joined(with later: ByteChange, in base: [UInt8]) -> [UInt8] {
    var bytes = Array(base[..<old.lowerBound])
    bytes += new
    bytes += base[old.upperBound..<later.old.lowerBound]
    bytes += later.new
    bytes += base[later.old.upperBound...]
    return bytes
  }
}

extension [UInt8] {
  /// Returns true if an index is not the start of a scalar of UTF-8.
  fileprivate func isWithinScalar(_ index: Int) -> Bool {
    index < count && self[index] & 0xC0 == 0x80
  }
}
