/// How a collection is kept: copies share what they have, also after one of them was changed.
///
/// ``SharedArray``, ``SharedDictionary`` and ``SharedSet`` are the three that there are.
public protocol SharedCollection: Sequence {
  /// How many elements there are.
  var count: Int { get }
  /// Whether there are none.
  var isEmpty: Bool { get }
  /// Whether both are one state, which neither changed since they were one.
  ///
  /// *Complexity*: O(1).
  func isIdentical(to other: Self) -> Bool
}

extension SharedArray: SharedCollection {}
extension SharedDictionary: SharedCollection {}
extension SharedSet: SharedCollection {}
