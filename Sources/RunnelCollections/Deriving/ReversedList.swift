extension ObservableList {
  /// Returns the live list of the elements in reverse order.
  ///
  ///     let latestFirst = shelf.reversed()
  ///     print(latestFirst.value)  // ["It", "Dune", "Emma"]
  @inlinable
  public func reversed() -> LiveCollection<[Base.Element]> {
    let start = value
    return LiveCollection(of: ReversedList(start), following: live, since: start)
  }
}

@usableFromInline
final class ReversedList<Element>: ListFollower {
  @usableFromInline let output: ListEditor<Element>

  @inlinable
  init(_ list: SharedArray<Element>) {
    output = ListEditor(SharedArray(list.reversed() as [Element]))
  }

  @inlinable var count: Int { output.elements.count }

  @inlinable
  func update(_ index: Int, to element: Element) {
    output.update(count - 1 - index, to: element)
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    output.remove(count - range.upperBound..<count - range.lowerBound)
  }

  @inlinable
  func lift(_ index: Int) -> ListEditor<Element>.Lifted { output.lift(count - 1 - index) }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    let new: [Element] = list[range].reversed()
    output.insert(contentsOf: new, at: count - range.lowerBound)
  }

  @inlinable
  func drop(_ lifted: ListEditor<Element>.Lifted, at index: Int) {
    output.drop(lifted, at: count - index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    output.reset(to: SharedArray(list.reversed() as [Element]))
  }
}
