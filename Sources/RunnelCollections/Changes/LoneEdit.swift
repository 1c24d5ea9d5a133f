/// The only edit of a batch so far. Most batches have no more, and need no table of runs.
@usableFromInline
enum LoneEdit: Sendable {
  /// Nothing has happened, or it came to nothing.
  case none
  /// An element has come.
  case insert(Int)
  /// An element has gone.
  case remove(Int)
  /// An element has become another one.
  case update(Int)
  /// An element was taken out, and will be put in again.
  case lift(Int, isUpdated: Bool)
  /// That has been done.
  case move(from: Int, to: Int, isUpdated: Bool)

  /// What putting in again at an index comes to.
  @inlinable
  static func moved(from source: Int, to destination: Int, isUpdated: Bool) -> LoneEdit {
    if source != destination {
      return .move(from: source, to: destination, isUpdated: isUpdated)
    }
    return isUpdated ? .update(source) : .none
  }
}

/// What has happened to a list if it was one edit.
@usableFromInline
final class LoneChange<Element> {
  @usableFromInline let edit: LoneEdit
  @usableFromInline let elements: SharedArray<Element>
  /// What the element is that it is about, or was if it is gone or is something else now.
  @usableFromInline let element: Element
  /// What it was updated to, or else the same.
  @usableFromInline let current: Element

  @inlinable
  init(_ edit: LoneEdit, of elements: SharedArray<Element>, _ element: Element, _ current: Element)
  {
    self.edit = edit
    self.elements = elements
    self.element = element
    self.current = current
  }

  /// Tells a follower of it.
  @inlinable
  func replay(to follower: some ListFollower<Element>) {
    switch edit {
    case .none, .lift: break
    case .insert(let index): follower.insert(element, at: index, of: elements)
    case .remove(let index): follower.remove(index..<index + 1)
    case .update(let index): follower.update(index, to: current)
    case .move(let source, let destination, let isUpdated):
      if isUpdated { follower.update(source, to: current) }
      follower.lift(source, number: 0)
      follower.drop(number: 0, at: destination)
    }
  }

  /// The same as one of many.
  @inlinable
  func asManyEdits() -> ManyEdits<Element> {
    var edits = ManyEdits<Element>()
    switch edit {
    case .none, .lift: break
    case .insert(let index): edits.inserts = IndexRuns(index)
    case .remove(let index):
      edits.deletes = IndexRuns(index)
      edits.deleted = [element]
    case .update(let index): edits.update(index, from: element, at: index)
    case .move(let source, let destination, let isUpdated):
      edits.moves = [ListMove(from: source, to: destination)]
      if isUpdated { edits.update(source, from: element, at: destination) }
    }
    return edits
  }
}

extension LoneChange: Sendable where Element: Sendable {}
