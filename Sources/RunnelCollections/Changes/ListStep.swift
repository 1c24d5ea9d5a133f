/// One step of a change. Indices refer to the list after the previous steps.
public enum ListStep<Element> {
  /// Replaces an element.
  case update(Int, Element)
  /// Removes a range of elements.
  case delete(Range<Int>)
  /// Moves an element. `to` is its index after the move.
  case move(from: Int, to: Int)
  /// Inserts elements. The index is that of the first one after the insertion.
  case insert(Int, [Element])
}

extension ListStep: Equatable where Element: Equatable {}
extension ListStep: Sendable where Element: Sendable {}

extension ListStep {
  /// Makes the step.
  public func apply<List>(to list: inout List)
  where
    List: RangeReplaceableCollection & MutableCollection, List.Element == Element, List.Index == Int
  {
    switch self {
    case .update(let index, let element): list[index] = element
    case .delete(let range): list.removeSubrange(range)
    case .move(let source, let destination): list.insert(list.remove(at: source), at: destination)
    case .insert(let index, let elements): list.insert(contentsOf: elements, at: index)
    }
  }
}

/// The replacement of a run of elements by others. Indices refer to the list after the previous
/// splices. A move is a removal and an insertion, in one splice or in two.
public struct ListSplice<Element> {
  /// The index of the first replaced element.
  public let index: Int
  /// The number of removed elements.
  public let removedCount: Int
  /// The inserted elements.
  public let added: [Element]

  /// Makes the splice.
  public func apply<List>(to list: inout List)
  where List: RangeReplaceableCollection, List.Element == Element, List.Index == Int {
    list.replaceSubrange(index..<index + removedCount, with: added)
  }
}

extension ListSplice: Equatable where Element: Equatable {}
extension ListSplice: Sendable where Element: Sendable {}

extension ListChanges {
  /// The change as steps to make one after the other: updates, deletes from the end, moves, then
  /// inserts from the start.
  ///
  /// *Complexity*: O(*n* log *n*) for *n* changes.
  public var steps: [ListStep<Element>] {
    let elements = elements
    var steps = updatePlaces.map { ListStep.update($0.from, elements[$0.to]) }
    for range in deletes.ranges.reversed() { steps.append(.delete(range)) }
    steps += moveSteps
    for range in inserts.ranges {
      steps.append(.insert(range.lowerBound, Array(elements[range])))
    }
    return steps
  }

  /// The change as splices in ascending order. Adjacent removals and insertions form one splice.
  public var splices: [ListSplice<Element>] {
    let elements = elements
    var splices: [ListSplice<Element>] = []
    var (oldIndex, index) = (0, 0)
    // The elements between two kept runs are replaced.
    func replace(upTo oldEnd: Int, with end: Int) {
      guard oldIndex < oldEnd || index < end else { return }
      splices.append(
        ListSplice(
          index: index, removedCount: oldEnd - oldIndex, added: Array(elements[index..<end])))
    }
    for case .kept(let old, let new) in pieces {
      replace(upTo: old.lowerBound, with: new.lowerBound)
      (oldIndex, index) = (old.upperBound, new.upperBound)
    }
    replace(upTo: oldCount, with: elements.count)
    return splices
  }
}

extension ListChanges {
  /// The moves between the list after the deletes and the list before the inserts.
  fileprivate var moveSteps: [ListStep<Element>] {
    let moves = moves
    if moves.isEmpty { return [] }
    let deleted = RankTable(deletes)
    let inserted = RankTable(inserts)
    let sources = moves.map { $0.from - deleted.count(before: $0.from) }
    // The sources that have not moved yet, in list order, and for each the number of other elements
    // before it. The last gap is larger than any list.
    let order = ascendingOrder(of: sources)
    var waiting = HandleList(order.lazy.map { Int32($0) })
    let places = order.map { sources[$0] }
    var gaps = WeightedList(zip(places, [-1] + places).map { $0 - $1 - 1 })
    gaps.insert(Int(Int32.max) / 2, at: order.count)
    var steps: [ListStep<Element>] = []
    for (number, move) in moves.enumerated() {
      let rank = waiting.remove(Int32(number))
      let source = gaps.sum(before: rank + 1) + rank
      let gap = gaps.remove(at: rank)
      gaps.set(gaps[rank] + gap, at: rank)
      // Sources that move later still occupy a position.
      let place = move.to - inserted.count(before: move.to)
      let inTheWay = gaps.index(ofOffset: place).index
      gaps.set(gaps[inTheWay] + 1, at: inTheWay)
      let destination = place + inTheWay
      if source != destination { steps.append(.move(from: source, to: destination)) }
    }
    return steps
  }
}

/// A table that counts the indices before a given index.
private struct RankTable {
  private let ranges: [Range<Int>]
  private var counts: [Int] = [0]

  init(_ runs: IndexRuns) {
    ranges = runs.ranges
    for range in ranges { counts.append(counts[counts.count - 1] + range.count) }
  }

  func count(before index: Int) -> Int {
    let low = ranges.indices.partitioningIndex { ranges[$0].upperBound > index }
    let part = low < ranges.count ? max(0, index - ranges[low].lowerBound) : 0
    return counts[low] + part
  }
}
