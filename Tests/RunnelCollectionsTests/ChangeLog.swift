import RunnelCollections
import RunnelStreams

/// A log of the changes of a list, one line for each event.
final class ChangeLog<Element> {
  private(set) var lines: [String] = []
  private var observation: Disposable?

  init<Base: ListBase>(_ list: some ObservableCollection<Base>) where Base.Element == Element {
    // Retain the list, which may be derived and have no other owner.
    observation = list.observe { [unowned self] event in
      _ = list
      switch event.change {
      case .initial: break
      case .reset: lines.append("reset \(event.collection)")
      case .changes(let changes):
        lines.append(
          """
          +\(changes.inserts) -\(changes.deletes) u\(changes.updates) m\(changes.moves) \
          \(event.collection)
          """)
      }
    }
  }

  deinit {
    observation?.dispose()
  }
}
