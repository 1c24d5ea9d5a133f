/// The only edit of a batch so far. Most batches have no more, and need no table of runs.
@usableFromInline
enum LoneEdit<Element> {
  /// Nothing has happened, or it came to nothing.
  case none
  /// An element has come.
  case insert(Int)
  /// An element has gone.
  case remove(Int, old: Element)
  /// An element has become another one.
  case update(Int, old: Element)
  /// An element was taken out, and will be put in again.
  case lift(Int)
  /// That has been done; if there is an old element, it has become another one too.
  case move(from: Int, to: Int, old: Element?)

  /// What it comes to.
  @inlinable
  consuming func changes(of list: SharedArray<Element>) -> ListChanges<Element>? {
    switch self {
    case .none: return nil
    case .lift: fatalError("What was taken out of a list must be put in again.")
    case .insert(let index): return ListChanges(inserts: IndexRuns(index), elements: list)
    case .remove(let index, let old):
      return ListChanges(deletes: IndexRuns(index), elements: list, deleted: [old])
    case .update(let index, let old):
      return ListChanges(
        updates: IndexRuns(index), elements: list, updatedPlaces: [index], replaced: [old])
    case .move(let source, let destination, let old):
      let move = [ListMove(from: source, to: destination)]
      guard let old else { return ListChanges(moves: move, elements: list) }
      return ListChanges(
        updates: IndexRuns(source), moves: move, elements: list, updatedPlaces: [destination],
        replaced: [old])
    }
  }
}
