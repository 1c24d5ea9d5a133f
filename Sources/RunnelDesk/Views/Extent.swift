/// The size that a view requests; nil for all available space.
public struct Extent: Hashable, Sendable {
  /// The number of columns.
  public var width: Int?
  /// The number of rows.
  public var height: Int?

  /// Creates an extent.
  public init(width: Int? = nil, height: Int? = nil) {
    self.width = width
    self.height = height
  }
}

extension Extent {
  subscript(axis: Axis) -> Int? { axis == .horizontal ? width : height }
}

extension View {
  /// Returns the extent of the view: its fixed width and height where they are set, or else what it
  /// requests.
  package func extent(in room: Size) -> Extent {
    let wanted = wantedExtent(in: Size(width: width ?? room.width, height: height ?? room.height))
    return Extent(width: width ?? wanted.width, height: height ?? wanted.height)
  }
}

/// The direction in which views are arranged.
public enum Axis: Hashable, Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical

  var across: Axis { self == .horizontal ? .vertical : .horizontal }
}

extension Size {
  subscript(axis: Axis) -> Int { axis == .horizontal ? width : height }
}

extension Rect {
  func part(from start: Int, length: Int, along axis: Axis) -> Rect {
    switch axis {
    case .horizontal: Rect(x: minX + start, y: minY, width: length, height: height)
    case .vertical: Rect(x: minX, y: minY + start, width: width, height: length)
    }
  }
}
