import RunnelText

/// The arithmetic of a ``StackView``, in cells or in pixels.
package struct StackLayout {
  package var axis: Axis
  package var spacing: Int
  package var margins: Margins
  package var alignment: StackView.Alignment

  /// Returns the extent of a stack of views with these extents.
  package func wanted(_ extents: [Extent]) -> Extent {
    let lengths = extents.map { $0[axis] }
    let gaps = gaps(extents.count)
    let length = lengths.contains(nil) ? nil : lengths.reduce(gaps) { $0.plus(max($1 ?? 0, 0)) }
    let breadths = extents.map { $0[axis.across] }
    let breadth = breadths.contains(nil) ? nil : breadths.compactMap { $0 }.max()
    let extent =
      axis == .horizontal
      ? Extent(width: length, height: breadth) : Extent(width: breadth, height: length)
    return extent.outset(by: margins)
  }

  /// Returns the places of views with these extents in an area.
  package func places(of extents: [Extent], in area: Rect) -> [Rect] {
    let area = area.inset(by: margins)
    var left = max(area.size[axis] - gaps(extents.count), 0)
    let wanted = extents.map { $0[axis] }
    let lengths = wanted.map { length -> Int? in
      guard let length else { return nil }
      let given = min(max(length, 0), left)
      left -= given
      return given
    }
    var takers = wanted.count { $0 == nil }
    var start = 0
    return zip(extents, lengths).map { extent, fixed in
      let length = fixed ?? (left + takers - 1) / takers
      if fixed == nil {
        left -= length
        takers -= 1
      }
      defer { start += length + spacing }
      return aligned(extent, in: area.part(from: start, length: length, along: axis))
    }
  }

  /// Returns the part of a place that a view with an extent takes.
  private func aligned(_ extent: Extent, in place: Rect) -> Rect {
    let room = place.size[axis.across]
    guard let wanted = extent[axis.across] else { return place }
    let breadth = min(max(wanted, 0), room)
    let start =
      switch alignment {
      case .fill: nil as Int?
      case .leading: 0
      case .center: (room - breadth) / 2
      case .trailing: room - breadth
      }
    return start.map { place.part(from: $0, length: breadth, along: axis.across) } ?? place
  }

  private func gaps(_ count: Int) -> Int { max(count - 1, 0) * spacing }
}
