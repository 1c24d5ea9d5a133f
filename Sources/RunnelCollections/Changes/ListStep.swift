/// One step of a change, in terms of the list as it stands when the steps before it have been made.
public enum ListStep<Element> {
  /// An element becomes another one.
  case update(Int, Element)
  /// The elements of a range of indices go.
  case delete(Range<Int>)
  /// An element goes to where it has the other index afterwards.
  case move(from: Int, to: Int)
  /// Elements come, the first of them to an index.
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

/// Some elements of a list side by side and what takes their place, in terms of the list as it stands
/// when the splices before it have been made. A move is two of them.
public struct ListSplice<Element> {
  /// Where it begins.
  public let index: Int
  /// How many elements go.
  public let removedCount: Int
  /// What comes.
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
  /// The change as an ordered patch for those who make one step after the other: updates, deletes
  /// from the end, moves, then inserts from the start.
  ///
  /// *Complexity*: in proportion to the change, but for the moves, whose number counts squared.
  public var steps: [ListStep<Element>] {
    var steps = zip(updates, edits.updatedPlaces).map { ListStep.update($0, elements[$1]) }
    for range in deletes.ranges.reversed() { steps.append(.delete(range)) }
    steps += moveSteps
    for range in inserts.ranges { steps.append(.insert(range.lowerBound, Array(elements[range]))) }
    return steps
  }

  /// The moves between a list from which the deletes are gone and one to which nothing has come yet.
  private var moveSteps: [ListStep<Element>] {
    let deleted = RankTable(deletes)
    let inserted = RankTable(inserts)
    // Where those that wait for their turn are, in the order of their turns.
    var sources = moves.map { $0.from - deleted.count(before: $0.from) }
    var steps: [ListStep<Element>] = []
    for (number, move) in moves.enumerated() {
      let source = sources[number]
      // Those that come later stand in the way until they go.
      var destination = move.to - inserted.count(before: move.to)
      let waiting = sources[(number + 1)...].map { $0 > source ? $0 - 1 : $0 }.sorted()
      for place in waiting where place <= destination { destination += 1 }
      if source != destination { steps.append(.move(from: source, to: destination)) }
      for later in sources.indices[(number + 1)...] {
        if sources[later] > source { sources[later] -= 1 }
        if sources[later] >= destination { sources[later] += 1 }
      }
    }
    return steps
  }

  /// The change as splices: updates, then what goes, from the end, then what comes, from the start.
  public var splices: [ListSplice<Element>] {
    var splices = zip(updates, edits.updatedPlaces).map {
      ListSplice(index: $0, removedCount: 1, added: [elements[$1]])
    }
    let departures = deletes.ranges + moves.map { $0.from..<$0.from + 1 }
    for range in departures.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      splices.append(ListSplice(index: range.lowerBound, removedCount: range.count, added: []))
    }
    let arrivals = inserts.ranges + moves.map { $0.to..<$0.to + 1 }
    for range in arrivals.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      splices.append(
        ListSplice(index: range.lowerBound, removedCount: 0, added: Array(elements[range])))
    }
    return splices
  }
}

/// How many of some indices come before another one.
private struct RankTable {
  private let ranges: [Range<Int>]
  private var counts: [Int] = [0]

  init(_ runs: IndexRuns) {
    ranges = runs.ranges
    for range in ranges { counts.append(counts[counts.count - 1] + range.count) }
  }

  func count(before index: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= index { low = middle + 1 } else { high = middle }
    }
    let part = low < ranges.count ? max(0, index - ranges[low].lowerBound) : 0
    return counts[low] + part
  }
}
