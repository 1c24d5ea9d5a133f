import RunnelCollections
import RunnelStreams

/// Checks each event of a dictionary or a set: that it says what turns what was into what is.
final class ChangeCheck<Base: CollectionBase> where Base.Elements: Equatable {
  private(set) var problems: [String] = []
  private(set) var known: Base.Elements?
  private(set) var eventCount = 0
  private var observation: Disposable?

  private init(
    _ collection: some ObservableCollection<Base>,
    apply: @escaping (Base.Changes, inout Base.Elements) -> Void,
    inverse: @escaping (Base.Changes) -> Base.Changes, isEmpty: @escaping (Base.Changes) -> Bool
  ) {
    observation = collection.observe { [unowned self] event in
      eventCount += 1
      if let changes = event.changes, let before = known {
        var after = before
        apply(changes, &after)
        if after != event.collection { problems.append("\(before) with \(changes) is \(after).") }
        apply(inverse(changes), &after)
        if after != before { problems.append("\(changes) taken back is \(after).") }
        if isEmpty(changes) { problems.append("An event that says nothing was sent.") }
      }
      known = event.collection
    }
  }

  convenience init<Key, Value>(_ dictionary: some ObservableCollection<[Key: Value]>)
  where Base == [Key: Value] {
    self.init(
      dictionary, apply: { $0.apply(to: &$1) }, inverse: { $0.inverse }, isEmpty: { $0.isEmpty })
  }

  convenience init<Member>(_ set: some ObservableCollection<Set<Member>>)
  where Base == Set<Member> {
    self.init(set, apply: { $0.apply(to: &$1) }, inverse: { $0.inverse }, isEmpty: { $0.isEmpty })
  }

  deinit {
    observation?.dispose()
  }
}
