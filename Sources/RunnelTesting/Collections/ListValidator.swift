import RunnelCollections
import RunnelStreams

/// Watches a list and checks each of its events against the rules: that what it says has happened is
/// what turns the list as it was into the list as it is, in whatever form it is said.
///
///     let validator = ListValidator(shelf)
///     shelf.append("Dune")
///     print(validator.problems)  // []
///
/// It compares all elements at each event: it is for tests.
public final class ListValidator<Element: Equatable> {
  /// What was wrong with the events until now, in words.
  public private(set) var problems: [String] = []
  /// How many events have come, the first one included.
  public private(set) var eventCount = 0
  /// The list as the last event had it.
  public private(set) var elements: [Element] = []
  private let bag = DisposeBag()

  /// Begins to watch a list.
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
    // What is wrong taken back is wrong as well.
    guard found.isEmpty else { return }
    problems += changes.inverse.problems(from: elements, to: before).map { "Taken back: \($0)" }
  }
}

extension ListChanges where Element: Equatable {
  /// What is wrong with the change of a list into another one, in words.
  func problems(from before: [Element], to after: [Element]) -> [String] {
    let departures = Array(deletes) + moves.map(\.from)
    let arrivals = Array(inserts) + moves.map(\.to)
    if departures.isEmpty && arrivals.isEmpty && updates.isEmpty {
      return ["An event that says nothing was sent."]
    }
    var problems: [String] = []
    let gone = Set(departures)
    let come = Set(arrivals)
    let updated = Set(updates)
    if gone.count < departures.count { problems.append("An index is deleted or moved from twice.") }
    if !updated.isDisjoint(with: deletes) { problems.append("What is deleted is updated.") }
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
          "\(before[old]) at \(old) has become \(after[new]) at \(new) without a word.")
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
    if Array(elements) != after { return ["The change has another list than the event."] }
    var problems: [String] = []
    if Array(oldElements) != before { problems.append("Taken back, it is not what it was.") }
    if steps.reduce(into: before, { $1.apply(to: &$0) }) != after {
      problems.append("The ordered patch gives another list: \(steps).")
    }
    if splices.reduce(into: before, { $1.apply(to: &$0) }) != after {
      problems.append("The splices give another list: \(splices).")
    }
    return problems
  }
}
