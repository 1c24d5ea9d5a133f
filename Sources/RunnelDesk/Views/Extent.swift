/// How much room a view wants; nil for as much as it can get.
public struct Extent: Hashable, Sendable {
  /// How many columns.
  public var width: Int?
  /// How many rows.
  public var height: Int?

  /// So much room.
  public init(width: Int? = nil, height: Int? = nil) {
    self.width = width
    self.height = height
  }
}

extension Extent {
  subscript(axis: Axis) -> Int? { axis == .horizontal ? width : height }
}

extension View {
  /// How much room it gets if that is there: what was set, else what it wants.
  func extent(in room: Size) -> Extent {
    let wanted = wantedExtent(in: Size(width: width ?? room.width, height: height ?? room.height))
    return Extent(width: width ?? wanted.width, height: height ?? wanted.height)
  }
}

/// A direction in which views stand beside each other.
public enum Axis: Hashable, Sendable {
  /// From left to right.
  case horizontal
  /// From above to below.
  case vertical
}

extension Size {
  subscript(axis: Axis) -> Int { axis == .horizontal ? width : height }
}

extension Rect {
  /// The part of it that begins so many cells from the start of an axis and has so many there.
  func part(from start: Int, length: Int, along axis: Axis) -> Rect {
    switch axis {
    case .horizontal: Rect(x: minX + start, y: minY, width: length, height: height)
    case .vertical: Rect(x: minX, y: minY + start, width: width, height: length)
    }
  }
}
