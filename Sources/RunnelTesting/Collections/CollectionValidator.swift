import RunnelCollections
import RunnelStreams

/// A validator of the events of a dictionary or a set. For each event it checks that the changes
/// turn the old collection into the new one, and that their inverse turns it back.
///
///     let ages = CollectionProperty(["Jim": 33])
///     let validator = CollectionValidator(ages)
///     ages["Bones"] = 39
///     print(validator.problems)  // []
///
/// It compares whole collections at each event, so use it in tests only. For lists use
/// ``ListValidator``, for sections ``SectionValidator``.
public final class CollectionValidator<Base: CollectionBase> where Base.Elements: Equatable {
  /// Descriptions of the problems found so far.
  public private(set) var problems: [String] = []
  /// The number of events received, including the first one.
  public private(set) var eventCount = 0
  /// The collection of the last event.
  public private(set) var elements: Base.Elements
  private let bag = DisposeBag()

  private init(
    _ collection: some ObservableCollection<Base>,
    apply: @escaping (Base.Changes, inout Base.Elements) -> Void
  ) {
    elements = collection.value
    collection.observe { [weak self] event in self?.check(event, apply) }.disposed(by: bag)
  }

  /// Begins to validate a dictionary.
  public convenience init<Key, Value>(_ dictionary: some ObservableCollection<[Key: Value]>)
  where Base == [Key: Value] {
    self.init(dictionary) { $0.apply(to: &$1) }
  }

  /// Begins to validate a set.
  public convenience init<Member>(_ set: some ObservableCollection<Set<Member>>)
  where Base == Set<Member> {
    self.init(set) { $0.apply(to: &$1) }
  }

  private func check(
    _ event: CollectionEvent<Base>, _ apply: (Base.Changes, inout Base.Elements) -> Void
  ) {
    let before = elements
    elements = event.collection
    eventCount += 1
    guard let changes = event.changes else { return }
    var after = before
    apply(changes, &after)
    if after != elements {
      problems.append("\(before) with \(changes) yields \(after) instead of \(elements).")
    }
    after = elements
    apply(changes.inverse, &after)
    if after != before {
      problems.append(
        "\(elements) with the inverse of \(changes) yields \(after) instead of \(before).")
    }
    if changes.isEmpty { problems.append("An empty changeset was sent.") }
  }
}
