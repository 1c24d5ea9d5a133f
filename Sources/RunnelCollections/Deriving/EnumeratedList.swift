import RunnelStreams

extension ObservableList {
  /// Returns the live list of the elements with their indices.
  ///
  ///     let numbered = shelf.enumerated()
  ///     print(numbered.value.map { "\($0.offset + 1). \($0.element)" })  // ["1. Emma", …
  ///
  /// *Events*: a changed index is an update.
  ///
  /// *Complexity*: linear in the number of elements whose index changes, such as all elements after
  /// an insertion.
  @inlinable
  public func enumerated() -> LiveCollection<[(offset: Int, element: Base.Element)]> {
    let start = value
    return LiveCollection(of: EnumeratedList(start), following: live, since: start)
  }
}

@usableFromInline
final class EnumeratedList<Element>: ListFollower {
  @usableFromInline typealias Pair = (offset: Int, element: Element)

  @usableFromInline let output: ListEditor<Pair>

  @inlinable
  init(_ list: SharedArray<Element>) {
    output = ListEditor(Self.pairs(of: list))
  }

  @inlinable
  static func pairs(of list: SharedArray<Element>) -> SharedArray<Pair> {
    var offset = -1
    return SharedArray(
      list.lazy.map { element in
        offset += 1
        return (offset, element)
      })
  }

  @inlinable
  func follow(_ changes: ListChanges<Element>) {
    changes.replay(to: self)
    for range in changes.shifted.ranges { number(range) }
  }

  @inlinable
  func update(_ index: Int, to element: Element) {
    output.update(index, to: (index, element))
  }

  @inlinable
  func remove(_ range: Range<Int>) { output.remove(range) }

  @inlinable
  func lift(_ index: Int) -> ListEditor<Pair>.Lifted { output.lift(index) }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    output.insert(contentsOf: range.map { ($0, list[$0]) }, at: range.lowerBound)
  }

  @inlinable
  func drop(_ lifted: ListEditor<Pair>.Lifted, at index: Int) { output.drop(lifted, at: index) }

  @inlinable
  func reset(to list: SharedArray<Element>) { output.reset(to: Self.pairs(of: list)) }

  /// Updates the elements of a range that have an outdated index.
  @inlinable
  func number(_ range: Range<Int>) {
    var index = range.lowerBound
    var run: [Pair] = []
    func update() {
      if !run.isEmpty { output.update(index - run.count..<index, to: run) }
      run = []
    }
    for pair in output.elements[range] {
      if pair.offset != index { run.append((index, pair.element)) } else { update() }
      index += 1
    }
    update()
  }
}

extension ListChanges {
  /// The new indices of the elements that stay and whose index may have changed.
  @inlinable var shifted: IndexRuns {
    var shifted = IndexRuns()
    for piece in pieces {
      guard let old = piece.old, let new = piece.new, old != new else { continue }
      shifted.append(new)
    }
    return shifted
  }
}
