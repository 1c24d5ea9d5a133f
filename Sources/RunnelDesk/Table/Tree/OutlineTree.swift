import RunnelCollections

/// The expanded part of a tree, and the list of its rows.
///
/// The tree observes the lists of children of expanded items only. Each of their changes becomes a
/// change of ``rows``, which the table of an ``OutlineView`` shows.
@MainActor
final class OutlineTree<Item: Identifiable> {
  typealias Node = OutlineNode<Item>
  typealias Branch = OutlineBranch<Item>

  /// The items of the rows, from top to bottom.
  let rows = CollectionProperty<[Node]>()
  private let children: (Item) -> LiveCollection<[Item]>
  private let isExpandable: (Item) -> Bool
  private let top: Branch

  init(
    _ list: LiveCollection<[Item]>, children: @escaping (Item) -> LiveCollection<[Item]>,
    isExpandable: @escaping (Item) -> Bool
  ) {
    self.children = children
    self.isExpandable = isExpandable
    top = Branch(list, of: nil)
  }

  /// Begins to observe the items at the top of the tree.
  func begin() { observe(top) }

  /// Stops all observations.
  func end() { close(top) }

  // MARK: - Reading

  /// Returns the row of a node; nil if the node was removed.
  func row(of node: Node) -> Int? {
    guard let branch = node.parent, let start = firstRow(of: branch) else { return nil }
    return start + branch.rowCount(before: branch.index(of: node))
  }

  /// Returns the row of the first child of a branch; nil if the branch is not shown.
  private func firstRow(of branch: Branch) -> Int? {
    guard let owner = branch.owner else { return branch === top ? 0 : nil }
    guard owner.branch === branch else { return nil }
    return row(of: owner).map { $0 + 1 }
  }

  /// Returns the child with an id; nil if there is none or the parent is not expanded. The children
  /// of nil are at the top of the tree.
  func child(_ id: Item.ID, of parent: Node?) -> Node? {
    let branch = parent == nil ? top : parent?.branch
    return branch?.nodes.first { $0.item.id == id }
  }

  func isExpandable(_ node: Node) -> Bool { node.branch != nil || isExpandable(node.item) }

  // MARK: - Expansion

  /// Shows the children of a node, and the descendants that were expanded before.
  func expand(_ node: Node) {
    guard node.branch == nil, row(of: node) != nil else { return }
    let list = children(node.item)
    // The closure may have changed the tree.
    guard node.branch == nil, row(of: node) != nil else { return }
    let memory = node.memory
    let branch = Branch(list, of: node)
    node.branch = branch
    rows.batch {
      observe(branch)
      guard !memory.expanded.isEmpty else { return }
      for child in branch.nodes {
        guard let below = memory.expanded[child.item.id] else { continue }
        child.memory = below
        expand(child)
      }
    }
  }

  /// Hides the descendants of a node, and ends the observation of their lists.
  func collapse(_ node: Node) {
    guard let branch = node.branch, let row = row(of: node) else { return }
    node.memory = memory(of: branch)
    close(branch)
    node.branch = nil
    node.parent?.rowCountChanged(of: node)
    rows.removeSubrange(row + 1..<row + 1 + branch.rowCount)
  }

  private func memory(of branch: Branch) -> OutlineMemory<Item.ID> {
    var memory = OutlineMemory<Item.ID>()
    for node in branch.nodes {
      guard let branch = node.branch else { continue }
      memory.expanded[node.item.id] = self.memory(of: branch)
    }
    return memory
  }

  private func close(_ branch: Branch) {
    branch.observation.dispose()
    for node in branch.nodes { if let branch = node.branch { close(branch) } }
  }

  // MARK: - Changes

  private func observe(_ branch: Branch) {
    branch.observation.dispose()
    branch.observation = branch.list.observeNext { [weak self, weak branch] event in
      guard let self, let branch, firstRow(of: branch) != nil else { return }
      rows.batch {
        let updated =
          if let changes = event.changes {
            self.apply(changes, to: branch)
          } else {
            self.replace(branch, with: event.collection)
          }
        for node in updated { self.followChildren(of: node) }
      }
    }
  }

  /// Returns the updated nodes.
  private func apply(_ changes: ListChanges<Item>, to branch: Branch) -> [Node] {
    let old = branch.nodes
    let pieces = changes.pieces
    var lifted: [Int: LiftedNode] = [:]
    for (index, isMoved) in pieces.departures {
      if isMoved {
        lifted[index] = lift(index, of: branch)
      } else {
        remove(index, of: branch)
      }
    }
    for piece in pieces {
      switch piece {
      case .inserted(let range):
        insert(changes.elements[range], at: range.lowerBound, of: branch)
      case .moved(let sources, let range, _):
        for (source, index) in zip(sources, range) {
          if let node = lifted[source] { drop(node, at: index, of: branch) }
        }
      case .kept, .updated, .deleted: break
      }
    }
    let updated = changes.updates.map { old[$0] }
    for node in updated { update(node, to: changes.elements[branch.index(of: node)]) }
    return updated
  }

  /// Items with known ids keep their nodes. Returns these nodes.
  private func replace(_ branch: Branch, with items: SharedArray<Item>) -> [Node] {
    var known: [Item.ID: [Node]] = [:]
    if !branch.nodes.isEmpty {
      let wanted = Set(items.map(\.id))
      for index in branch.nodes.indices.reversed() {
        let node = branch.nodes[index]
        if wanted.contains(node.item.id) {
          known[node.item.id, default: []].append(node)
        } else {
          remove(index, of: branch)
        }
      }
    }
    if branch.nodes.isEmpty {
      insert(items, at: 0, of: branch)
      return []
    }
    var kept: [Node] = []
    for (index, item) in items.enumerated() {
      if let node = known[item.id]?.popLast() {
        let source = branch.index(of: node)
        if source != index { drop(lift(source, of: branch), at: index, of: branch) }
        update(node, to: item)
        kept.append(node)
      } else {
        insert([item], at: index, of: branch)
      }
    }
    // Further nodes with the same ids.
    for index in (items.count..<max(branch.nodes.count, items.count)).reversed() {
      remove(index, of: branch)
    }
    return kept
  }

  /// A node that was taken out together with its rows, to be inserted elsewhere.
  private struct LiftedNode {
    let node: Node
    let rows: [ListEditor<Node>.Lifted]
  }

  private func insert(_ items: some Sequence<Item>, at index: Int, of branch: Branch) {
    guard let start = firstRow(of: branch) else { return }
    let row = start + branch.rowCount(before: index)
    let nodes = items.map { Node($0, depth: branch.depth) }
    branch.insert(nodes, at: index)
    rows.insert(contentsOf: nodes, at: row)
  }

  private func remove(_ index: Int, of branch: Branch) {
    guard let start = firstRow(of: branch) else { return }
    let row = start + branch.rowCount(before: index)
    let node = branch.remove(at: index)
    if let branch = node.branch { close(branch) }
    rows.removeSubrange(row..<row + node.rowCount)
  }

  private func lift(_ index: Int, of branch: Branch) -> LiftedNode {
    let row = (firstRow(of: branch) ?? 0) + branch.rowCount(before: index)
    let node = branch.remove(at: index)
    return LiftedNode(
      node: node,
      rows: rows.live.edit { editor in (0..<node.rowCount).map { _ in editor.lift(row) } })
  }

  private func drop(_ lifted: LiftedNode, at index: Int, of branch: Branch) {
    let row = (firstRow(of: branch) ?? 0) + branch.rowCount(before: index)
    branch.insert([lifted.node], at: index)
    rows.live.edit { editor in
      for (offset, element) in lifted.rows.enumerated() { editor.drop(element, at: row + offset) }
    }
  }

  private func update(_ node: Node, to item: Item) {
    guard let row = row(of: node) else { return }
    node.item = item
    rows[row] = node
  }

  /// Shows the children of an updated item, which may be in another list now.
  private func followChildren(of node: Node) {
    guard node.branch != nil else { return }
    let list = children(node.item)
    // The closure may have changed the tree.
    guard let branch = node.branch, firstRow(of: branch) != nil, list !== branch.list else {
      return
    }
    branch.list = list
    observe(branch)
  }
}
