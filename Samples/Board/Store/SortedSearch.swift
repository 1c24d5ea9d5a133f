extension Array {
  /// Returns the index of the first element that meets a condition, or the end. All elements after it meet the
  /// condition, too.
  ///
  /// *Complexity*: O(log count).
  func firstSortedIndex(where isAfter: (Element) -> Bool) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = isAfter(self[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}
