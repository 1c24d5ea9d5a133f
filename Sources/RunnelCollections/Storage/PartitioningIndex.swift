extension Range<Int> {
  /// Returns the first index that satisfies a predicate, or the upper bound. All indices after it
  /// must satisfy the predicate, too. Otherwise the result is an unspecified index of the range.
  @inlinable
  package func partitioningIndex(where belongsInSecond: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if belongsInSecond(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
