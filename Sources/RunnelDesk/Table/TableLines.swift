import RunnelCollections

/// What the lines of a table are: the headings of its sections, and their rows.
///
/// Rows are numbered through all sections; headings are no rows.
struct TableLines {
  /// How many rows each section has.
  private var rows = WeightedList()
  /// How many lines each section has: one more than rows, if it has a heading.
  private var lines = WeightedList()

  /// What a line is.
  enum Line: Equatable {
    /// The heading of a section.
    case heading(Int)
    /// A row.
    case row(Int)
  }

  /// No lines.
  init() {}

  /// The lines of sections that have so many rows and may have a heading.
  init(_ sections: some Sequence<(rowCount: Int, hasHeading: Bool)>) {
    let sections = Array(sections)
    rows = WeightedList(sections.lazy.map { $0.rowCount })
    lines = WeightedList(sections.lazy.map { $0.rowCount + ($0.hasHeading ? 1 : 0) })
  }

  /// How many lines there are.
  var count: Int { lines.total }
  /// How many rows there are.
  var rowCount: Int { rows.total }
  /// How many sections there are.
  var sectionCount: Int { rows.count }

  // MARK: - Reading

  /// What a line is.
  subscript(line: Int) -> Line {
    let (section, rest) = lines.index(ofOffset: line)
    let headingCount = headingCount(of: section)
    if rest < headingCount { return .heading(section) }
    return .row(rows.sum(before: section) + rest - headingCount)
  }

  /// The line of a row.
  func line(ofRow row: Int) -> Int {
    let (section, rest) = rows.index(ofOffset: row)
    return lines.sum(before: section) + headingCount(of: section) + rest
  }

  /// The rows of some sections; of none, where they would be.
  func rows(ofSections sections: Range<Int>) -> Range<Int> {
    rows.sum(before: sections.lowerBound)..<rows.sum(before: sections.upperBound)
  }

  /// The section of a row, and its number there.
  func path(ofRow row: Int) -> ItemPath {
    let (section, rest) = rows.index(ofOffset: row)
    return ItemPath(section: section, item: rest)
  }

  /// The rows that some lines are.
  func rows(inLines lines: Range<Int>) -> Range<Int> {
    let first = firstRow(from: lines.lowerBound)
    return first..<max(first, firstRow(from: lines.upperBound))
  }

  /// The row of a line, or the first one below it.
  func firstRow(from line: Int) -> Int {
    guard line < count else { return rowCount }
    switch self[line] {
    case .heading(let section): return rows.sum(before: section)
    case .row(let row): return row
    }
  }

  private func headingCount(of section: Int) -> Int { lines[section] - rows[section] }

  // MARK: - Changing

  /// A section has other rows.
  mutating func setRowCount(_ count: Int, ofSection section: Int) {
    lines.set(count + headingCount(of: section), at: section)
    rows.set(count, at: section)
  }

  mutating func insertSection(rowCount: Int, hasHeading: Bool, at index: Int) {
    rows.insert(rowCount, at: index)
    lines.insert(rowCount + (hasHeading ? 1 : 0), at: index)
  }

  mutating func removeSection(at index: Int) {
    rows.remove(at: index)
    lines.remove(at: index)
  }
}
