extension SharedArray: Equatable where Element: Equatable {
  /// Whether both have equal elements in one order.
  @inlinable public static func == (left: SharedArray, right: SharedArray) -> Bool {
    left.count == right.count && (left.isIdentical(to: right) || left.elementsEqual(right))
  }
}

extension SharedArray: Hashable where Element: Hashable {
  /// Feeds the elements to a hasher.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension SharedArray: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements, as an `Array` shows them.
  public var description: String { Array(self).description }
  /// The elements, as an `Array` shows them.
  public var debugDescription: String { Array(self).description }
}

// Safety: nodes that two lists have are not changed; the one that is changed has one owner, which is
// found out with the count of references, as with `Array`.
extension SharedArray: @unchecked Sendable where Element: Sendable {}
