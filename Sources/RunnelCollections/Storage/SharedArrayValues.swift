extension SharedArray: Equatable where Element: Equatable {
  /// Returns true when both lists have equal elements in the same order.
  @inlinable public static func == (left: SharedArray, right: SharedArray) -> Bool {
    left.count == right.count && (left.isIdentical(to: right) || left.elementsEqual(right))
  }
}

extension SharedArray: Hashable where Element: Hashable {
  /// Hashes the elements.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension SharedArray: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements, in the form of an `Array`.
  public var description: String { Array(self).description }
  /// The elements, in the form of an `Array`.
  public var debugDescription: String { Array(self).description }
}

// Safety: nodes that two lists share are never modified. A node is modified only while it has one
// reference, which is checked as for `Array`.
extension SharedArray: @unchecked Sendable where Element: Sendable {}
