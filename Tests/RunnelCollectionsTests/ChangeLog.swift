import RunnelCollections
import RunnelStreams

/// The changes of a list from now on, a line each.
final class ChangeLog<Element> {
  private(set) var lines: [String] = []
  private var observation: Disposable?

  init<Base: ListBase>(_ list: some ObservableCollection<Base>) where Base.Element == Element {
    // It keeps the list, which may be derived and have no other owner.
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
