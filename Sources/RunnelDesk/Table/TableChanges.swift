import RunnelCollections

// MARK: - What there is

extension TableView {
  /// How many rows there are.
  public var rowCount: Int { lines.rowCount }
  /// How many sections there are.
  public var sectionCount: Int { lines.sectionCount }

  /// The section of a row, and its number there.
  public func path(ofRow row: Int) -> ItemPath { lines.path(ofRow: row) }

  /// The row of a path.
  public func row(at path: ItemPath) -> Int {
    lines.rows(ofSections: path.section..<path.section).lowerBound + path.item
  }

  /// What a row shows. It is asked for when it is to be seen for the first time, and when it has changed.
  func shown(_ row: Int) -> TableRow {
    if let shown = shownRows[row] { return shown }
    let revision = revision
    var shown = TableRow()
    for column in columns { shown[column.identifier] = cell(column, row) }
    // Where being asked has changed the rows, this may be another one already.
    if revision == self.revision { shownRows[row] = shown }
    return shown
  }

  func cell(_ column: TableColumn, _ row: Int) -> TableCell {
    guard row < rowCount else { return TableCell("") }
    return dataSource?.tableView(self, cellFor: column, row: row) ?? TableCell("")
  }
}

// MARK: - What has changed

extension TableView {
  /// Asks the data source anew for all there is. The rows with the same numbers stay selected.
  public func reloadData() {
    let count = dataSource?.numberOfSections(in: self) ?? 0
    let new = TableLines(
      (0..<max(count, 0)).map { section in
        let rowCount = dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
        let title = dataSource?.tableView(self, titleOfSection: section)
        return (max(rowCount, 0), title != nil)
      })
    let common = min(new.rowCount, rowCount)
    shift(RowShift([.init(old: 0..<common, new: 0)]), to: new, updated: RangeSet(0..<common))
  }

  /// Asks the data source anew for some rows when they are seen.
  public func reloadRows(_ rows: Range<Int>) {
    for row in shownRows.keys where rows.contains(row) { shownRows[row] = nil }
    needsDisplay()
  }

  /// The data source has rows that were not there, with these numbers in their section.
  public func insertRows(_ items: Range<Int>, inSection section: Int = 0) {
    let old = rows(ofSection: section)
    precondition(
      items.lowerBound >= 0 && items.lowerBound <= old.count,
      """
      Rows cannot be inserted at \(items.lowerBound) into a section of \(old.count). Say where they are \
      afterwards, and tell of changes in the order in which they were made.
      """)
    let place = old.lowerBound + items.lowerBound
    changeRows(
      of: section, to: old.count + items.count,
      [
        .init(old: 0..<place, new: 0),
        .init(old: place..<rowCount, new: place + items.count),
      ])
  }

  /// The data source has no more the rows that had these numbers in their section.
  public func removeRows(_ items: Range<Int>, inSection section: Int = 0) {
    let old = rows(ofSection: section)
    checkRows(items, in: old)
    let start = old.lowerBound + items.lowerBound
    changeRows(
      of: section, to: old.count - items.count,
      [
        .init(old: 0..<start, new: 0),
        .init(old: start + items.count..<rowCount, new: start),
      ])
  }

  /// The data source has a row elsewhere in its section, where it has the other number afterwards.
  public func moveRow(from source: Int, to destination: Int, inSection section: Int = 0) {
    let old = rows(ofSection: section)
    checkRows(source..<source + 1, in: old)
    checkRows(destination..<destination + 1, in: old)
    let (from, to) = (old.lowerBound + source, old.lowerBound + destination)
    let between = from < to ? from + 1..<to + 1 : to..<from
    let (low, high) = (min(from, to), max(from, to) + 1)
    let pieces = [
      RowShift.Piece(old: 0..<low, new: 0), .init(old: from..<from + 1, new: to),
      .init(old: between, new: between.lowerBound + (from < to ? -1 : 1)),
      .init(old: high..<rowCount, new: high),
    ]
    changeRows(
      of: section, to: old.count, pieces.sorted { $0.old.lowerBound < $1.old.lowerBound })
  }

  private func rows(ofSection section: Int) -> Range<Int> {
    precondition(
      (0..<sectionCount).contains(section),
      "There is no section \(section), but \(sectionCount). Call reloadData() when sections change."
    )
    return lines.rows(ofSections: section..<section + 1)
  }

  private func checkRows(_ items: Range<Int>, in section: Range<Int>) {
    precondition(
      items.lowerBound >= 0 && items.upperBound <= section.count,
      """
      There are no rows \(items) in a section of \(section.count). Tell of changes in the order in which \
      they were made.
      """)
  }

  private func changeRows(of section: Int, to count: Int, _ pieces: [RowShift.Piece]) {
    var new = lines
    new.setRowCount(count, ofSection: section)
    shift(RowShift(pieces.filter { !$0.old.isEmpty }), to: new)
  }

  /// Rows have come, gone and moved: what is selected, where it is scrolled to and what is known of rows
  /// goes with them. The updated rows are asked for anew.
  ///
  /// - Parameter updated: By their old numbers.
  func shift(_ shift: RowShift, to new: TableLines, updated: RangeSet<Int> = RangeSet()) {
    let scrollAnchor = scrollAnchor
    let old = selection.value
    var known: [Int: TableRow] = [:]
    for (row, shown) in shownRows where !updated.contains(row) {
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
    store(selected)
    tellVisibleRows()
  }
}
