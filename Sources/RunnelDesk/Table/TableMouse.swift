extension TableView {
  /// Returns false if the table does not use the event.
  func handle(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .press(.left):
      pressedPart = part(at: event.position)
      press(event, clicks: clicks)
      return true
    case .drag(.left):
      drag(to: event)
      return true
    case .release(.left):
      let pressed = pressedPart
      pressedPart = nil
      if case .header(let identifier)? = pressed, pressed == part(at: event.position),
        let column = columns.first(where: { $0.identifier == identifier })
      {
        clickHeader(of: column)
      }
      return true
    case .wheel(.up), .wheel(.down):
      guard overflows else { return false }
      scrollPosition += event.action == .wheel(.up) ? -Self.wheelLines : Self.wheelLines
      return true
    case .press(.right):
      // The context menu acts on the row.
      switch part(at: event.position) {
      case .row(let row), .triangle(let row):
        if !selectedRows.contains(row) { propose(TableSelection(row)) }
      default: break
      }
      return false
    case .wheel, .press, .drag, .release, .move:
      return false
    }
  }

  /// The number of lines that one notch of the wheel scrolls.
  private static let wheelLines = 3

  private func press(_ event: MouseEvent, clicks: Int) {
    forgetMark()
    switch pressedPart {
    case .row(let row): press(row, event.modifiers, clicks: clicks)
    case .triangle(let row):
      outline?.propose(row: row, isExpanded: outline?.isExpanded(row: row) != true)
    case .edge(let column): if clicks == 2 { fitColumn(column) }
    case .indicator: scroll(toIndicatorAt: event.position)
    case .ground where !event.modifiers.contains(.control) && !event.modifiers.contains(.shift):
      let old = selection.value
      if !old.rows.isEmpty {
        propose(TableSelection(RangeSet(), lead: old.lead, anchor: old.anchor))
      }
    case .ground, .header, nil: break
    }
  }

  private func press(_ row: Int, _ modifiers: Modifiers, clicks: Int) {
    let revision = revision
    if modifiers.contains(.control) && selectionMode != .none {
      proposeToggle(of: row)
    } else if modifiers.contains(.shift) {
      proposeExtension(to: row)
    } else if clicks == 2 && (selectedRows.contains(row) || selectionMode == .none) {
      // The first click has selected the row, and the row is still there.
      activate(row: row)
      return
    } else {
      propose(TableSelection(row))
    }
    // A pressed row may be visible only in part.
    if revision != self.revision, selectedRow == row { scrollToRow(row) }
  }

  private func drag(to event: MouseEvent) {
    switch pressedPart {
    case .row:
      guard let row = row(nearestTo: event.position), row != selection.value.lead else { return }
      let revision = revision
      proposeExtension(to: row)
      if revision != self.revision, selection.value.lead == row { scrollToRow(row) }
    case .edge(let column): dragEdge(of: column, to: event.position.x)
    case .indicator: scroll(toIndicatorAt: event.position)
    case .triangle, .header, .ground, nil: break
    }
  }

  /// Scrolls so that the middle of the indicator is at a point, as far as possible.
  private func scroll(toIndicatorAt point: Point) {
    scrollPosition = indicator.top(forMiddleAt: point.y - headerHeight)
  }
}
