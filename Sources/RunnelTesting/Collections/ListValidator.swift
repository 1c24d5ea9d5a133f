import RunnelCollections
import RunnelStreams

/// A validator of the events of a list. For each event it checks that the changes turn the old list
/// into the new one, in each form: indices, pieces, steps, splices and the inverse.
///
///     let validator = ListValidator(shelf)
///     shelf.append("Dune")
///     print(validator.problems)  // []
///
/// It compares all elements at each event, so use it in tests only.
public final class ListValidator<Element: Equatable> {
  /// Descriptions of the problems found so far.
  public private(set) var problems: [String] = []
  /// The number of events received, including the first one.
  public private(set) var eventCount = 0
  /// The list of the last event.
  public private(set) var elements: [Element] = []
  private let bag = DisposeBag()

  /// Begins to validate a list.
  public init<Base: ListBase>(_ list: some ObservableCollection<Base>)
  where Base.Element == Element {
    list.observe { [weak self] event in self?.check(event) }.disposed(by: bag)
  }

  private func check<Base: ListBase>(_ event: CollectionEvent<Base>) where Base.Element == Element {
    let before = elements
    elements = Array(event.collection)
    eventCount += 1
    guard let changes = event.changes else { return }
    let found = changes.problems(from: before, to: elements)
    problems += found
    // The inverse of an invalid change is invalid as well.
    guard found.isEmpty else { return }
    problems += changes.inverse.problems(from: elements, to: before).map { "Inverse: \($0)" }
  }
}

extension ListChanges where Element: Equatable {
  func problems(from before: [Element], to after: [Element]) -> [String] {
    let departures = Array(deletes) + moves.map(\.from)
    let arrivals = Array(inserts) + moves.map(\.to)
    if departures.isEmpty && arrivals.isEmpty && updates.isEmpty {
      return ["An empty changeset was sent."]
    }
    var problems: [String] = []
    let gone = Set(departures)
    let come = Set(arrivals)
    let updated = Set(updates)
    if gone.count < departures.count { problems.append("An index is deleted or moved twice.") }
    if !updated.isDisjoint(with: deletes) { problems.append("An element is deleted and updated.") }
    if !gone.union(updated).allSatisfy(before.indices.contains)
      || !come.allSatisfy(after.indices.contains)
    {
      problems.append("An index is out of range.")
    } else if before.count - gone.count + come.count != after.count {
      problems.append("The counts do not add up.")
    } else {
      let kept = zip(
        before.indices.filter { !gone.contains($0) }, after.indices.filter { !come.contains($0) })
      for (old, new) in Array(kept) + moves.map({ ($0.from, $0.to) })
      where !updated.contains(old) && before[old] != after[new] {
        problems.append(
          "\(before[old]) at \(old) is \(after[new]) at \(new), but no update was reported.")
      }
      if problems.isEmpty { problems = problemsOfForms(from: before, to: after) }
    }
    guard !problems.isEmpty else { return [] }
    return problems + [
      """
      From \(before) to \(after): inserts \(inserts), updates \(updates), deletes \(deletes), \
      moves \(moves).
      """
    ]
  }

  private func problemsOfForms(from before: [Element], to after: [Element]) -> [String] {
    if Array(elements) != after {
      return ["The list of the change differs from that of the event."]
    }
    var problems: [String] = []
    if Array(oldElements) != before {
      problems.append("The old list of the change differs from the previous list.")
    }
    problems += problemsOfPieces(from: before, to: after)
    if steps.reduce(into: before, { $1.apply(to: &$0) }) != after {
      problems.append("The steps yield another list: \(steps).")
    }
    if splices.reduce(into: before, { $1.apply(to: &$0) }) != after {
      problems.append("The splices yield another list: \(splices).")
    }
    return problems
  }

  /// Checks that the pieces cover both lists, and that their elements are the same in both unless
  /// they were updated.
  private func problemsOfPieces(from before: [Element], to after: [Element]) -> [String] {
    let pieces = pieces
    let new = pieces.compactMap(\.new)
    let stays = pieces.filter { if case .moved = $0 { false } else { true } }.compactMap(\.old)
    // Coverage first: the elements can be compared only if the indices are valid.
    let isSound =
      Array(new.joined()) == Array(after.indices)
      && pieces.compactMap(\.old).joined().sorted() == Array(before.indices)
      && zip(stays, stays.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
      && pieces.allSatisfy { piece in
        guard let old = piece.old, let new = piece.new else { return true }
        return old.count == new.count
          && (piece.isUpdated || before[old].elementsEqual(after[new]))
      }
    return isSound ? [] : ["The pieces do not describe the change: \(pieces)."]
  }
}
