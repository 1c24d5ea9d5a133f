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
  private var observation: Disposable?

  /// Begins to watch a list.
  public init<Base: ListBase>(_ list: some ObservableCollection<Base>)
  where Base.Element == Element {
    // Safety: the observation is disposed with the validator.
    observation = list.observe { [unowned self] event in check(event) }
  }

  deinit {
    observation?.dispose()
  }

  private func check<Base: ListBase>(_ event: CollectionEvent<Base>) where Base.Element == Element {
    let before = elements
    elements = Array(event.collection)
    eventCount += 1
    guard let changes = event.changes else { return }
    let known = problems.count
    check(changes, from: before)
    guard problems.count > known else { return }
    problems.append(
      """
      From \(before) to \(elements): inserts \(changes.inserts), updates \(changes.updates), \
      deletes \(changes.deletes), moves \(changes.moves).
      """)
  }

  private func check(_ changes: ListChanges<Element>, from before: [Element]) {
    let departures = Array(changes.deletes) + changes.moves.map(\.from)
    let arrivals = Array(changes.inserts) + changes.moves.map(\.to)
    if departures.isEmpty && arrivals.isEmpty && changes.updates.isEmpty {
      return report("An event that says nothing was sent.")
    }
    let gone = Set(departures)
    let come = Set(arrivals)
    let updated = Set(changes.updates)
    if gone.count < departures.count { report("An index is deleted or moved from twice.") }
    if come.count < arrivals.count { report("An index is inserted or moved to twice.") }
    guard
      gone.union(updated).allSatisfy(before.indices.contains),
      come.allSatisfy(elements.indices.contains)
    else { return report("An index is out of range.") }
    if !updated.isDisjoint(with: changes.deletes) { report("What is deleted is updated.") }
    guard before.count - gone.count + come.count == elements.count else {
      return report("The counts do not add up.")
    }
    let kept = zip(
      before.indices.filter { !gone.contains($0) }, elements.indices.filter { !come.contains($0) })
    for (old, new) in Array(kept) + changes.moves.map({ ($0.from, $0.to) })
    where !updated.contains(old) && before[old] != elements[new] {
      report("\(before[old]) at \(old) has become \(elements[new]) at \(new) without a word.")
    }
    if Array(changes.elements) != elements { report("The change has another list than the event.") }
    if Array(changes.oldElements) != before { report("Taken back, it is not what it was.") }
    if Array(changes.inverse.inverse.elements) != elements {
      report("Taken back twice, it is not what it is.")
    }
    if changes.steps.reduce(into: before, { $1.apply(to: &$0) }) != elements {
      report("The ordered patch gives another list: \(changes.steps).")
    }
    if changes.splices.reduce(into: before, { $1.apply(to: &$0) }) != elements {
      report("The splices give another list: \(changes.splices).")
    }
  }

  private func report(_ problem: String) {
    problems.append(problem)
  }
}
