import RunnelCollections

extension TableLines {
  /// Returns the lines after a change of sections. All sections have headings.
  func applying<Header, Item>(_ changes: SectionChanges<Header, Item>) -> TableLines {
    var lines = self
    let pieces = changes.pieces
    for (index, _) in pieces.departures { lines.removeSection(at: index) }
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
  /// Creates the lookup for a change of sections, from the lines before and after it.
  init<Header, Item>(
    _ changes: SectionChanges<Header, Item>, from old: TableLines, to new: TableLines
  ) {
    var pieces: [ListPiece] = []
    func add(_ old: Range<Int>, _ new: Range<Int>, isUpdated: Bool = false) {
      pieces.append(isUpdated ? .updated(from: old, to: new) : .kept(from: old, to: new))
    }
    let items = Dictionary(uniqueKeysWithValues: changes.items.map { ($0.section, $0.changes) })
    for piece in changes.pieces {
      guard let sections = piece.old, let places = piece.new else { continue }
      guard piece.isUpdated else {
        add(old.rows(ofSections: sections), new.rows(ofSections: places))
        continue
      }
      for (section, place) in zip(sections, places) {
        let before = old.rows(ofSections: section..<section + 1)
        let after = new.rows(ofSections: place..<place + 1)
        guard let items = items[section] else {
          add(before, after)
          continue
        }
        for piece in items.pieces {
          guard let old = piece.old, let new = piece.new else { continue }
          add(
            old.shifted(by: before.lowerBound), new.shifted(by: after.lowerBound),
            isUpdated: piece.isUpdated)
        }
      }
    }
    self.init(pieces)
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}

// MARK: - Resets

extension RowShift {
  /// Creates an incomplete lookup of `rows` after a reset, which matches items by id. The items
  /// count as updated.
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
    var pieces: [ListPiece] = []
    start = 0
    for section in 0..<new.sectionCount where !wanted.isEmpty {
      let items = new.items(of: section)
      for (index, item) in items.enumerated() {
        // Items with equal ids are matched in order.
        guard let row = wanted[item.id]?.first else { continue }
        wanted[item.id]?.removeFirst()
        pieces.append(.updated(from: row..<row + 1, to: start + index..<start + index + 1))
      }
      start += items.count
    }
    self.init(pieces, isPartial: true)
  }
}
