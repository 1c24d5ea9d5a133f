import RunnelCollections
import RunnelStreams

/// An item of a tree that is visible or scrolled out of sight: all its ancestors are expanded.
@MainActor
final class OutlineNode<Item: Identifiable> {
  var item: Item
  /// The number of ancestors.
  let depth: Int
  /// The branch that contains the node; nil after the node was removed.
  fileprivate(set) weak var parent: OutlineBranch<Item>?
  /// The number that identifies the node in its branch.
  fileprivate var handle: Int32 = 0
  /// The children while the node is expanded.
  var branch: OutlineBranch<Item>?
  /// The descendants to expand when the node is expanded the next time.
  var memory = OutlineMemory<Item.ID>()

  init(_ item: Item, depth: Int) {
    self.item = item
    self.depth = depth
  }

  /// The number of rows of the node and its descendants.
  var rowCount: Int { 1 + (branch?.rowCount ?? 0) }

  /// The node and its descendants, in the order of their rows.
  var tree: [OutlineNode] { [self] + (branch?.nodes.flatMap(\.tree) ?? []) }
}

/// The descendants of an item that were expanded when the item was collapsed.
struct OutlineMemory<ID: Hashable> {
  var expanded: [ID: OutlineMemory] = [:]
}

/// The children of an expanded item, or the items at the top of a tree.
@MainActor
final class OutlineBranch<Item: Identifiable> {
  /// The node whose children these are; nil at the top of the tree.
  private(set) weak var owner: OutlineNode<Item>?
  /// The list that the branch shows. The branch retains it, and with it its source.
  var list: LiveCollection<[Item]>
  var observation = Disposable.none
  /// The number of ancestors of the children.
  let depth: Int

  private(set) var nodes = SharedArray<OutlineNode<Item>>()
  /// The number of rows of each child with its descendants.
  private var rowCounts = WeightedList()
  /// The handles of the children. They make a child's index known without a search.
  private var handles = HandleList()
  private var pool = HandlePool()

  init(_ list: LiveCollection<[Item]>, of owner: OutlineNode<Item>?) {
    self.list = list
    self.owner = owner
    depth = owner.map { $0.depth + 1 } ?? 0
  }

  /// The number of rows of all children with their descendants.
  var rowCount: Int { rowCounts.total }

  func index(of node: OutlineNode<Item>) -> Int { handles.index(of: node.handle) }

  /// Returns the number of rows above a child, or above the end for the number of children.
  func rowCount(before index: Int) -> Int { rowCounts.sum(before: index) }

  // MARK: - Changes

  func insert(_ new: [OutlineNode<Item>], at index: Int) {
    for node in new {
      node.handle = pool.take()
      node.parent = self
    }
    nodes.insert(contentsOf: new, at: index)
    rowCounts.insert(contentsOf: new.map(\.rowCount), at: index)
    handles.insert(contentsOf: new.map(\.handle), at: index)
    rowCountChanged()
  }

  @discardableResult
  func remove(at index: Int) -> OutlineNode<Item> {
    let node = nodes.remove(at: index)
    rowCounts.remove(at: index)
    handles.remove(at: index)
    pool.give(node.handle)
    node.parent = nil
    rowCountChanged()
    return node
  }

  /// Updates the numbers of rows after those of a child have changed.
  func rowCountChanged(of node: OutlineNode<Item>) {
    rowCounts.set(node.rowCount, at: index(of: node))
    rowCountChanged()
  }

  private func rowCountChanged() {
    if let owner, let branch = owner.parent { branch.rowCountChanged(of: owner) }
  }
}
