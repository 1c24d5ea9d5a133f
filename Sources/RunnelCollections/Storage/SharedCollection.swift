/// A collection whose copies share storage, even after one of them has changed.
///
/// ``SharedArray``, ``SharedDictionary`` and ``SharedSet`` are the conforming types.
public protocol SharedCollection: Sequence {
  /// The number of elements.
  var count: Int { get }
  /// True when there are no elements.
  var isEmpty: Bool { get }
  /// Returns true when both collections share the same storage and neither has changed since.
  ///
  /// *Complexity*: O(1).
  func isIdentical(to other: Self) -> Bool
}

extension SharedArray: SharedCollection {}
extension SharedDictionary: SharedCollection {}
extension SharedSet: SharedCollection {}
