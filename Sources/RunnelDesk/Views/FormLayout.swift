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

  private(set) var rows: [Row] = []
  let wanted: Extent

  /// The number of columns between labels and controls.
  private static let gap = 2
  /// The number of rows that a flexible control gets before rows are separated by free ones.
  private static let comfortableHeight = 3

  init(_ entries: [(control: View, label: String)], spacing: Int, in room: Size) {
    let longest = entries.map(\.label.cellWidth).max() ?? 0
    // Long labels are truncated before they take the place of the controls.
    let labelWidth = min(longest, max(room.width, 0) * 2 / 5)
    let start = labelWidth > 0 ? min(labelWidth + Self.gap, max(room.width, 0)) : 0
    let inside = Size(width: max(room.width - start, 0), height: max(room.height, 0))
    let extents = entries.map { $0.control.extent(in: inside) }
    let messages = entries.map { entry in
      entry.control.shownMessages.flatMap { $0.wrapped(to: inside.width) }
    }
    let gaps = Self.gaps(messages, spacing: spacing)
    let fixed = extents.reduce(0) { $0.plus(max($1.height ?? 0, 0)) }
    let takers = extents.count { $0.height == nil }

    let isFlexible = extents.contains { $0.width == nil }
    let broadest = extents.compactMap(\.width).max() ?? 0
    wanted = Extent(
      width: isFlexible ? nil : broadest.plus(start),
      height: takers > 0 ? nil : gaps.reduce(fixed) { $0.plus($1) })

    let comfort = gaps.reduce(fixed) { $0.plus($1) }.plus(takers * Self.comfortableHeight)
    let used = comfort > inside.height ? Self.gaps(messages, spacing: 0) : gaps
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
          label: Rect(x: 0, y: y, width: labelWidth, height: min(height, 1)),
          frame: Rect(x: start, y: y, width: width, height: height), message: messages[index]))
      y += height + used[index]
    }
  }

  /// Returns the number of rows below each control.
  private static func gaps(_ messages: [[Substring]], spacing: Int) -> [Int] {
    messages.enumerated().map { index, lines in
      max(index == messages.count - 1 ? 0 : spacing, lines.count)
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
