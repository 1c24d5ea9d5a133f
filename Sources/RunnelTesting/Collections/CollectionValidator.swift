import RunnelCollections
import RunnelStreams

/// Watches a dictionary or a set and checks each of its events: that what it says has happened turns
/// what was into what is, and taken back turns it back.
///
///     let ages = CollectionProperty(["Jim": 33])
///     let validator = CollectionValidator(ages)
///     ages["Bones"] = 39
///     print(validator.problems)  // []
///
/// It compares all there is at each event: it is for tests. For lists there is ``ListValidator``, and
/// for sections ``SectionValidator``.
public final class CollectionValidator<Base: CollectionBase> where Base.Elements: Equatable {
  /// What was wrong with the events until now, in words.
  public private(set) var problems: [String] = []
  /// How many events have come, the first one included.
  public private(set) var eventCount = 0
  /// The collection as the last event had it.
  public private(set) var elements: Base.Elements
  private let bag = DisposeBag()

  private init(
    _ collection: some ObservableCollection<Base>,
    apply: @escaping (Base.Changes, inout Base.Elements) -> Void
  ) {
    elements = collection.value
    collection.observe { [weak self] event in self?.check(event, apply) }.disposed(by: bag)
  }

  /// Begins to watch a dictionary.
  public convenience init<Key, Value>(_ dictionary: some ObservableCollection<[Key: Value]>)
  where Base == [Key: Value] {
    self.init(dictionary) { $0.apply(to: &$1) }
  }

  /// Begins to watch a set.
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
      problems.append("\(before) with \(changes) is \(after), not \(elements).")
    }
    after = elements
    apply(changes.inverse, &after)
    if after != before {
      problems.append("\(elements) without \(changes) is \(after), not \(before).")
    }
    if changes.isEmpty { problems.append("An event that says nothing was sent.") }
  }
}
