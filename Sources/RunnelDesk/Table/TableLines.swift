import RunnelCollections

/// The lines of a table: the headings of its sections, and their rows.
///
/// Rows are numbered across all sections. Headings have no row numbers.
package struct TableLines {
  /// The number of rows of each section.
  private var rows = WeightedList()
  /// The number of lines of each section: its rows, plus one if it has a heading.
  private var lines = WeightedList()

  package enum Line: Equatable {
    /// The heading of a section.
    case heading(Int)
    case row(Int)
  }

  init() {}

  init(_ sections: some Sequence<(rowCount: Int, hasHeading: Bool)>) {
    let sections = Array(sections)
    rows = WeightedList(sections.lazy.map { $0.rowCount })
    lines = WeightedList(sections.lazy.map { $0.rowCount + ($0.hasHeading ? 1 : 0) })
  }

  package var count: Int { lines.total }
  var rowCount: Int { rows.total }
  var sectionCount: Int { rows.count }

  // MARK: - Reading

  package subscript(line: Int) -> Line {
    let (section, rest) = lines.index(ofOffset: line)
    let headingCount = headingCount(of: section)
    if rest < headingCount { return .heading(section) }
    return .row(rows.sum(before: section) + rest - headingCount)
  }

  package func line(ofRow row: Int) -> Int {
    let (section, rest) = rows.index(ofOffset: row)
    return lines.sum(before: section) + headingCount(of: section) + rest
  }

  /// For an empty range of sections, returns an empty range at its place.
  func rows(ofSections sections: Range<Int>) -> Range<Int> {
    rows.sum(before: sections.lowerBound)..<rows.sum(before: sections.upperBound)
  }

  /// Returns the section of a row and the row's index in that section.
  func path(ofRow row: Int) -> ItemPath {
    let (section, rest) = rows.index(ofOffset: row)
    return ItemPath(section: section, item: rest)
  }

  func rows(inLines lines: Range<Int>) -> Range<Int> {
    let first = firstRow(from: lines.lowerBound)
    return first..<max(first, firstRow(from: lines.upperBound))
  }

  /// Returns the row of a line, or the first row below it.
  func firstRow(from line: Int) -> Int {
    guard line < count else { return rowCount }
    switch self[line] {
    case .heading(let section): return rows.sum(before: section)
    case .row(let row): return row
    }
  }

  private func headingCount(of section: Int) -> Int { lines[section] - rows[section] }

  // MARK: - Changing

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
