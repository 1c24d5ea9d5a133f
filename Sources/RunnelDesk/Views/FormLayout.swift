import RunnelText

/// The positions of the labels, controls and validation messages of a ``Form``.
@MainActor
package struct FormLayout {
  package struct Row {
    package var control: View
    package var text: String
    package var label: Rect
    /// The place of the control.
    package var frame: Rect
    /// The lines of the validation message, which are below the control.
    package var message: [Substring]
  }

  package private(set) var rows: [Row] = []
  package let wanted: Extent

  /// How a form measures its parts, in cells or in pixels.
  package struct Measure {
    /// The space between labels and controls.
    package var gap: Int
    /// The height of a label.
    package var row: Int
    /// The height of a line of a validation message.
    package var line: Int
    /// The space between rows.
    package var spacing: Int
    package var labelWidth: (String) -> Int
    package var extent: (View, Size) -> Extent
    /// Returns the number of cells in a width.
    package var columns: (Int) -> Int

    package init(
      gap: Int, row: Int, line: Int, spacing: Int, labelWidth: @escaping (String) -> Int,
      extent: @escaping (View, Size) -> Extent, columns: @escaping (Int) -> Int
    ) {
      (self.gap, self.row, self.line, self.spacing) = (gap, row, line, spacing)
      (self.labelWidth, self.extent, self.columns) = (labelWidth, extent, columns)
    }

    /// Measures in cells.
    @MainActor
    static func cells(spacing: Int) -> Measure {
      Measure(
        gap: 2, row: 1, line: 1, spacing: spacing, labelWidth: \.cellWidth,
        extent: { $0.extent(in: $1) }, columns: { $0 })
    }
  }

  /// The number of rows that a flexible control gets before rows are separated by free ones.
  private static let comfortableHeight = 3

  package init(_ entries: [(control: View, label: String)], _ measure: Measure, in room: Size) {
    let longest = entries.map { measure.labelWidth($0.label) }.max() ?? 0
    // Long labels are truncated before they take the place of the controls.
    let labelWidth = min(longest, max(room.width, 0) * 2 / 5)
    let start = labelWidth > 0 ? min(labelWidth + measure.gap, max(room.width, 0)) : 0
    let inside = Size(width: max(room.width - start, 0), height: max(room.height, 0))
    let extents = entries.map { measure.extent($0.control, inside) }
    let messages = entries.map { entry in
      entry.control.shownMessages.flatMap { $0.wrapped(to: measure.columns(inside.width)) }
    }
    let gaps = Self.gaps(messages, measure, spacing: measure.spacing)
    let fixed = extents.reduce(0) { $0.plus(max($1.height ?? 0, 0)) }
    let takers = extents.count { $0.height == nil }

    let isFlexible = extents.contains { $0.width == nil }
    let broadest = extents.compactMap(\.width).max() ?? 0
    wanted = Extent(
      width: isFlexible ? nil : broadest.plus(start),
      height: takers > 0 ? nil : gaps.reduce(fixed) { $0.plus($1) })

    let comfort = gaps.reduce(fixed) { $0.plus($1) }.plus(
      takers * Self.comfortableHeight * measure.row)
    let used = comfort > inside.height ? Self.gaps(messages, measure, spacing: 0) : gaps
    var left = max(inside.height.minus(used.reduce(fixed) { $0.plus($1) }), 0)
    var waiting = takers
    var y = 0
    for (index, entry) in entries.enumerated() {
      var height = max(extents[index].height ?? 0, 0)
      if extents[index].height == nil {
        height = (left + waiting - 1) / waiting
        left -= height
        waiting -= 1
      }
      height = min(height, max(inside.height - y, 0))
      let width = min(max(extents[index].width ?? inside.width, 0), inside.width)
      rows.append(
        Row(
          control: entry.control, text: entry.label,
          label: Rect(x: 0, y: y, width: labelWidth, height: min(height, measure.row)),
          frame: Rect(x: start, y: y, width: width, height: height), message: messages[index]))
      y += height + used[index]
    }
  }

  /// Returns the space below each control.
  private static func gaps(
    _ messages: [[Substring]], _ measure: Measure, spacing: Int
  ) -> [Int] {
    messages.enumerated().map { index, lines in
      max(index == messages.count - 1 ? 0 : spacing, lines.count * measure.line)
    }
  }
}

extension View {
  /// The different validation messages of the view and of the views in it, in reading order. A view
  /// that cannot be used has none, and a form in it shows those of its controls itself.
  fileprivate var shownMessages: [String] {
    if isHidden || !isEnabled { return [] }
    let own = [validationMessage].compactMap { $0 }.filter { !$0.isEmpty }
    let others = self is Form ? [] : subviews.flatMap(\.shownMessages)
    return others.reduce(into: own) { if !$0.contains($1) { $0.append($1) } }
  }

  /// True if a form shows the validation message.
  package var isInForm: Bool { sequence(first: self, next: \.superview).contains { $0 is Form } }
}
