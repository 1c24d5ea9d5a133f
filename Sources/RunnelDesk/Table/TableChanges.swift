import RunnelCollections

// MARK: - Rows and sections

extension TableView {
  /// The number of rows.
  public var rowCount: Int { lines.rowCount }
  /// The number of sections.
  public var sectionCount: Int { lines.sectionCount }

  /// Returns the section of a row and the row's index in that section.
  public func path(ofRow row: Int) -> ItemPath { lines.path(ofRow: row) }

  /// Returns the number of the row at a path.
  public func row(at path: ItemPath) -> Int {
    lines.rows(ofSections: path.section..<path.section).lowerBound + path.item
  }

  /// Returns the cells of a row. They are requested from the data source when the row is first
  /// drawn, and after it has changed.
  package func shown(_ row: Int) -> TableRow {
    if let shown = shownRows[row] { return shown }
    let revision = revision
    let shown = requestCells(of: row)
    // The data source may have changed the rows when it was asked.
    if revision == self.revision { shownRows[row] = shown }
    return shown
  }

  func requestCells(of row: Int) -> TableRow {
    guard row < rowCount else { return TableRow() }
    return dataSource?.tableView(self, cellsOfRow: row) ?? TableRow()
  }
}

// MARK: - Changes

extension TableView {
  /// Requests all rows from the data source again. Row numbers that still exist stay selected.
  public func reloadData() {
    let count = dataSource?.numberOfSections(in: self) ?? 0
    let new = TableLines(
      (0..<max(count, 0)).map { section in
        let rowCount = dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
        let title = dataSource?.tableView(self, titleOfSection: section)
        return (max(rowCount, 0), title != nil)
      })
    let common = min(new.rowCount, rowCount)
    shift(RowShift([.updated(from: 0..<common, to: 0..<common)]), to: new)
  }

  /// Requests the given rows from the data source again when they are next drawn.
  public func reloadRows(_ rows: Range<Int>) {
    for row in shownRows.keys where rows.contains(row) { shownRows[row] = nil }
    needsDisplay()
  }

  /// Reports that the data source has inserted rows into a section.
  ///
  /// - Parameter items: The indices of the rows in their section, after the insertion.
  public func insertRows(_ items: Range<Int>, inSection section: Int = 0) {
    let old = rows(ofSection: section)
    precondition(
      items.lowerBound >= 0 && items.lowerBound <= old.count,
      """
      Rows cannot be inserted at \(items.lowerBound) into a section of \(old.count). Pass the \
      indices after the insertion, and report changes in the order in which they were made.
      """)
    let place = old.lowerBound + items.lowerBound
    changeRows(
      of: section, to: old.count + items.count,
      [keep(0..<place), keep(place..<rowCount, by: items.count)])
  }

  /// Reports that the data source has removed rows from a section.
  ///
  /// - Parameter items: The indices that the rows had in their section.
  public func removeRows(_ items: Range<Int>, inSection section: Int = 0) {
    let old = rows(ofSection: section)
    checkRows(items, in: old)
    let start = old.lowerBound + items.lowerBound
    changeRows(
      of: section, to: old.count - items.count,
      [keep(0..<start), keep(start + items.count..<rowCount, by: -items.count)])
  }

  /// Reports that the data source has moved a row within its section.
  ///
  /// `source` is the row's index in the section before the move, `destination` the one after it.
  public func moveRow(from source: Int, to destination: Int, inSection section: Int = 0) {
    let old = rows(ofSection: section)
    checkRows(source..<source + 1, in: old)
    checkRows(destination..<destination + 1, in: old)
    let (from, to) = (old.lowerBound + source, old.lowerBound + destination)
    let between = from < to ? from + 1..<to + 1 : to..<from
    changeRows(
      of: section, to: old.count,
      [
        keep(0..<min(from, to)), keep(between, by: from < to ? -1 : 1),
        .moved(from: from..<from + 1, to: to..<to + 1, isUpdated: false),
        keep(max(from, to) + 1..<rowCount),
      ])
  }

  private func keep(_ rows: Range<Int>, by distance: Int = 0) -> ListPiece {
    .kept(from: rows, to: rows.lowerBound + distance..<rows.upperBound + distance)
  }

  private func rows(ofSection section: Int) -> Range<Int> {
    precondition(
      (0..<sectionCount).contains(section),
      "Section \(section) of \(sectionCount) is missing. Call reloadData() when sections change."
    )
    return lines.rows(ofSections: section..<section + 1)
  }

  private func checkRows(_ items: Range<Int>, in section: Range<Int>) {
    precondition(
      items.lowerBound >= 0 && items.upperBound <= section.count,
      """
      Rows \(items) are not in a section of \(section.count). Report changes in the order in which \
      they were made.
      """)
  }

  private func changeRows(of section: Int, to count: Int, _ pieces: [ListPiece]) {
    var new = lines
    new.setRowCount(count, ofSection: section)
    shift(RowShift(pieces), to: new)
  }

  /// Applies a change of rows: the selection, the scroll offset and the cached cells follow their
  /// rows. The cells of updated rows are requested again.
  func shift(_ shift: RowShift, to new: TableLines) {
    let scrollAnchor = scrollAnchor
    let old = selection.value
    var known: [Int: TableRow] = [:]
    for (row, shown) in shownRows where shift.keeps(RangeSet(row..<row + 1)) {
      if let place = shift.row(row) { known[place] = shown }
    }
    shownRows = known
    awaitedRow = awaitedRow.flatMap { shift.nearest($0, newCount: new.rowCount) }
    lines = new
    revision += 1
    needsDisplay()
    let selected = old.shifted(by: shift, newCount: new.rowCount)
    restoreScroll(
      scrollAnchor, row: scrollAnchor.flatMap { shift.nearest($0.row, newCount: new.rowCount) })
    setSelectionAndNotify(selected)
    reportVisibleRows()
  }
}
