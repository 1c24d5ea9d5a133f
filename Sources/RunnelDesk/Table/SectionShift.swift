import RunnelCollections

extension TableLines {
  /// Returns the lines after a change of sections. All sections have headings.
  func applying<Header, Item>(_ changes: SectionChanges<Header, Item>) -> TableLines {
    var lines = self
    let pieces = changes.pieces
    for index in pieces.departures { lines.removeSection(at: index) }
    for piece in pieces {
      switch piece {
      case .inserted(let new), .moved(_, let new, _):
        for index in new {
          let count = changes.sections[index].items.count
          lines.insertSection(rowCount: count, hasHeading: true, at: index)
        }
      case .kept, .updated, .deleted: break
      }
    }
    for change in changes.items {
      lines.setRowCount(change.changes.elements.count, ofSection: change.newSection)
    }
    return lines
  }
}

extension RowShift {
  /// Creates the mapping for a change of sections, from the lines before and after it.
  init<Header, Item>(
    _ changes: SectionChanges<Header, Item>, from old: TableLines, to new: TableLines
  ) {
    var pieces: [Piece] = []
    func add(_ sections: Range<Int>, at place: Int) {
      let rows = old.rows(ofSections: sections)
      if !rows.isEmpty { pieces.append(Piece(old: rows, new: new.firstRow(ofSection: place))) }
    }
    var changed = changes.items[...]
    for piece in Self.pieces(of: changes.pieces) {
      let distance = piece.new - piece.old.lowerBound
      var start = piece.old.lowerBound
      while let change = changed.first, change.section < piece.old.upperBound {
        changed.removeFirst()
        add(start..<change.section, at: start + distance)
        let (before, after) = (
          old.firstRow(ofSection: change.section), new.firstRow(ofSection: change.newSection)
        )
        for piece in Self.pieces(of: change.changes.pieces) {
          let rows = before + piece.old.lowerBound..<before + piece.old.upperBound
          pieces.append(Piece(old: rows, new: after + piece.new))
        }
        start = change.section + 1
      }
      add(start..<piece.old.upperBound, at: start + distance)
    }
    self.init(pieces)
  }
}

extension SectionChanges {
  /// Returns the updated rows by their old numbers. `lines` are the lines before the change.
  func updatedRows(in lines: TableLines) -> RangeSet<Int> {
    var rows = RangeSet<Int>()
    for change in items {
      let start = lines.firstRow(ofSection: change.section)
      for range in change.changes.updates.ranges {
        rows.insert(contentsOf: start + range.lowerBound..<start + range.upperBound)
      }
    }
    return rows
  }
}

extension TableLines {
  func firstRow(ofSection section: Int) -> Int { rows(ofSections: section..<section).lowerBound }
}

// MARK: - Resets

extension RowShift {
  /// Creates an incomplete mapping of `rows` after a reset, which matches items by id.
  ///
  /// *Complexity*: linear in the number of items; linear in the number of sections if `rows` is
  /// empty.
  init<Source: RowSource>(of rows: RangeSet<Int>, from old: Source, to new: Source)
  where Source.Item: Identifiable {
    var wanted: [Source.Item.ID: [Int]] = [:]
    var start = 0
    for section in 0..<old.sectionCount where !rows.isEmpty {
      let items = old.items(of: section)
      let range = start..<start + items.count
      for row in rows.intersection(RangeSet(range)).ranges.joined() {
        wanted[items[row - start].id, default: []].append(row)
      }
      start = range.upperBound
    }
    var pieces: [Piece] = []
    start = 0
    for section in 0..<new.sectionCount where !wanted.isEmpty {
      let items = new.items(of: section)
      for (index, item) in items.enumerated() {
        // Items with equal ids are matched in order.
        guard let row = wanted[item.id]?.first else { continue }
        wanted[item.id]?.removeFirst()
        pieces.append(Piece(old: row..<row + 1, new: start + index))
      }
      start += items.count
    }
    self.init(pieces.sorted { $0.old.lowerBound < $1.old.lowerBound }, isPartial: true)
  }
}
