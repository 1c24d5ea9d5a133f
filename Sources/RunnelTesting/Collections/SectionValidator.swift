import RunnelCollections
import RunnelStreams

/// A validator of the events of sections. It checks them as ``ListValidator`` checks those of a
/// list.
///
///     let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
///     let validator = SectionValidator(library)
///     library.append("Dune", toSection: 0)
///     print(validator.problems)  // []
///
/// It compares all items at each event, so use it in tests only.
public final class SectionValidator<Header: Equatable, Item: Equatable> {
  /// Descriptions of the problems found so far.
  public private(set) var problems: [String] = []
  /// The number of events received, including the first one.
  public private(set) var eventCount = 0
  /// The sections of the last event.
  public private(set) var sections: [ListSection<Header, Item>] = []
  private let bag = DisposeBag()

  /// Begins to validate sections.
  public init<Base: SectionedBase>(_ sections: some ObservableCollection<Base>)
  where Base.Header == Header, Base.Item == Item {
    sections.observe { [weak self] event in self?.check(event) }.disposed(by: bag)
  }

  private func check<Base: SectionedBase>(_ event: CollectionEvent<Base>)
  where Base.Header == Header, Base.Item == Item {
    let before = sections
    sections = Array(event.collection)
    eventCount += 1
    guard let changes = event.changes else { return }
    problems += changes.problems(from: before, to: sections)
    problems += changes.inverse.problems(from: sections, to: before).map { "Inverse: \($0)" }
  }
}

extension SectionChanges where Header: Equatable, Item: Equatable {
  fileprivate func problems(
    from before: [ListSection<Header, Item>], to after: [ListSection<Header, Item>]
  ) -> [String] {
    if Array(sections) != after {
      return ["The sections of the change differ from those of the event."]
    }
    if Array(oldSections) != before {
      return ["The old sections of the change differ from the previous sections."]
    }
    let gone = Set(Array(deletes) + moves.map(\.from))
    let come = Set(Array(inserts) + moves.map(\.to))
    let kept = zip(
      before.indices.filter { !gone.contains($0) }, after.indices.filter { !come.contains($0) })
    let pairs = Array(kept) + moves.map { ($0.from, $0.to) }
    guard before.count - deletes.count == pairs.count, after.count - inserts.count == pairs.count
    else { return ["The counts of sections do not add up."] }
    if inserts.isEmpty && deletes.isEmpty && moves.isEmpty && headers.isEmpty && items.isEmpty {
      return ["An empty changeset was sent."]
    }
    let changed = Dictionary(items.map { ($0.section, $0) }) { first, _ in first }
    if changed.count < items.count { return ["The items of a section are reported twice."] }
    var problems: [String] = []
    for (old, new) in pairs {
      if !Set(headers).contains(old), before[old].header != after[new].header {
        problems.append("The header of section \(old) has changed, but no change was reported.")
      }
      let (oldItems, newItems) = (Array(before[old].items), Array(after[new].items))
      if let change = changed[old] {
        if change.newSection != new { problems.append("Section \(old) is not at \(new).") }
        problems += change.changes.problems(from: oldItems, to: newItems)
      } else if oldItems != newItems {
        problems.append("The items of section \(old) have changed, but no change was reported.")
      }
    }
    if !Set(changed.keys).union(headers).isSubset(of: pairs.map(\.0)) {
      problems.append("A change of a deleted section is reported.")
    }
    if problems.isEmpty, steps.reduce(into: before, { $1.apply(to: &$0) }) != after {
      problems.append("The steps yield other sections: \(steps).")
    }
    return problems
  }
}
