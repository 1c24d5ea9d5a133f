/// The only edit of a batch so far. Most batches have one edit and need no table of runs.
@usableFromInline
enum SingleEdit: Sendable {
  /// An element was inserted at the index.
  case insert(Int)
  /// The element at the index was removed.
  case remove(Int)
  /// The element at the index was updated.
  case update(Int)
  /// The element at the index was lifted and not dropped yet.
  case lift(Int, isUpdated: Bool)
  /// The element was lifted and dropped.
  case move(from: Int, to: Int, isUpdated: Bool)

  /// Returns the removed element, or the old value of an updated one. A lift removes nothing yet.
  @inlinable
  func lost<Element>(_ element: Element) -> (
    gone: [OldElement<Element>], replaced: [OldElement<Element>]
  ) {
    switch self {
    case .remove(let index): ([OldElement(element, at: index)], [])
    case .update(let index), .lift(let index, true), .move(let index, _, true):
      ([], [OldElement(element, at: index)])
    case .insert, .lift, .move: ([], [])
    }
  }
}

/// A change of a list that consists of one edit.
@usableFromInline
final class SingleChange<Element> {
  @usableFromInline let edit: SingleEdit
  @usableFromInline let elements: SharedArray<Element>
  /// The element of the edit; for a removal or an update the old one.
  @usableFromInline let element: Element
  /// The new value of an updated element, otherwise the element itself.
  @usableFromInline let current: Element

  @inlinable
  init(
    _ edit: SingleEdit, of elements: SharedArray<Element>, _ element: Element, _ current: Element
  ) {
    self.edit = edit
    self.elements = elements
    self.element = element
    self.current = current
  }

  @inlinable
  func replay(to follower: some ListFollower<Element>) {
    switch edit {
    case .lift: break
    case .insert(let index): follower.insert(element, at: index, of: elements)
    case .remove(let index): follower.remove(index..<index + 1)
    case .update(let index): follower.update(index, to: current)
    case .move(let source, let destination, let isUpdated):
      if isUpdated { follower.update(source, to: current) }
      follower.drop(follower.lift(source), at: destination)
    }
  }

  /// Calls `gone` with each old element and `come` with each new one.
  @inlinable
  func visit(gone: (Element) -> Void, come: (Element) -> Void) {
    switch edit {
    case .insert: come(element)
    case .remove: gone(element)
    case .update, .move(_, _, true):
      gone(element)
      come(current)
    case .lift, .move: break
    }
  }

  @inlinable var inverse: SingleChange {
    var old = elements
    switch edit {
    case .lift: return self
    case .insert(let index):
      old.remove(at: index)
      return SingleChange(.remove(index), of: old, element, element)
    case .remove(let index):
      old.insert(element, at: index)
      return SingleChange(.insert(index), of: old, element, element)
    case .update(let index):
      old[index] = element
      return SingleChange(.update(index), of: old, current, element)
    case .move(let source, let destination, let isUpdated):
      old.remove(at: destination)
      old.insert(element, at: source)
      return SingleChange(
        .move(from: destination, to: source, isUpdated: isUpdated), of: old, current, element)
    }
  }
}

extension SingleChange: Sendable where Element: Sendable {}

extension SingleChange {
  @inlinable var extent: Int {
    if case .move(_, _, true) = edit { 2 } else { 1 }
  }

  @inlinable var oldCount: Int {
    switch edit {
    case .insert: elements.count - 1
    case .remove: elements.count + 1
    case .update, .lift, .move: elements.count
    }
  }
}
