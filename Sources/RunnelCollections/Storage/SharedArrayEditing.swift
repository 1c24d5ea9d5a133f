extension SharedArray {
  /// The branch itself if nobody else has it, or else a copy in its place.
  @inlinable static func ownBranch(_ node: inout AnyObject) -> Branch {
    if !isKnownUniquelyReferenced(&node) {
      node = unsafeDowncast(node, to: Branch.self).copy()
    }
    return unsafeDowncast(node, to: Branch.self)
  }

  /// The leaf itself if nobody else has it, or else a copy in its place.
  @inlinable static func ownLeaf(_ node: inout AnyObject) -> Leaf {
    if !isKnownUniquelyReferenced(&node) {
      let leaf = unsafeDowncast(node, to: Leaf.self)
      let copy = Leaf.make(capacity: Leaf.capacity(for: leaf.count))
      copy.take(0..<leaf.count, of: leaf, moving: false)
      node = copy
    }
    return unsafeDowncast(node, to: Leaf.self)
  }

  // MARK: - One element

  /// Inserts; what has no room in the node is returned and stands after it.
  @inlinable static func insert(
    _ element: consuming Element, at offset: Int, in node: inout AnyObject, height: Int,
    isLast: Bool
  ) -> AnyObject? {
    if height == 0 { return insert(element, at: offset, inLeaf: &node, isLast: isLast) }
    let branch = ownBranch(&node)
    let count = branch.count
    // An insertion between two children goes to the end of the first.
    let child = offset == 0 ? 0 : branch.child(endingAfter: offset - 1)
    let start = branch.start(of: child)
    branch.shift(from: child, by: 1)
    let next = insert(
      element, at: offset - start, in: &branch.nodes[child], height: height - 1,
      isLast: isLast && child == count - 1)
    guard let next else { return nil }
    let slot = Slot(end: Int(branch.ends[child]), node: next)
    branch.ends[child] -= Int32(Self.count(of: next, height: height - 1))
    return branch.insert(slot, at: child + 1)
  }

  @inlinable static func insert(
    _ element: consuming Element, at offset: Int, inLeaf node: inout AnyObject, isLast: Bool
  ) -> AnyObject? {
    let isOwn = isKnownUniquelyReferenced(&node)
    let leaf = unsafeDowncast(node, to: Leaf.self)
    let count = leaf.count
    if isOwn, count < leaf.room {
      leaf.insert(element, at: offset)
      return nil
    }
    if count < Leaf.maximum {
      let larger = Leaf.make(capacity: Leaf.capacity(for: count + 1))
      larger.take(0..<offset, of: leaf, moving: isOwn)
      larger.add(element)
      larger.take(offset..<count, of: leaf, moving: isOwn)
      if isOwn { leaf.count = 0 }
      node = larger
      return nil
    }
    if isLast, offset == count {
      // Appending leaves full leaves behind.
      let next = Leaf.make(capacity: Leaf.maximum)
      next.add(element)
      return next
    }
    let half = count / 2
    let room = Leaf.capacity(for: half + 1)
    let (head, tail) = (Leaf.make(capacity: room), Leaf.make(capacity: room))
    if offset <= half {
      head.take(0..<offset, of: leaf, moving: isOwn)
      head.add(element)
      head.take(offset..<half, of: leaf, moving: isOwn)
      tail.take(half..<count, of: leaf, moving: isOwn)
    } else {
      head.take(0..<half, of: leaf, moving: isOwn)
      tail.take(half..<offset, of: leaf, moving: isOwn)
      tail.add(element)
      tail.take(offset..<count, of: leaf, moving: isOwn)
    }
    if isOwn { leaf.count = 0 }
    node = head
    return tail
  }

  /// Removes an element; the node may have too little then.
  @inlinable static func remove(
    at offset: Int, in node: inout AnyObject, height: Int
  ) -> Element {
    if height == 0 { return remove(at: offset, inLeaf: &node) }
    let branch = ownBranch(&node)
    let child = branch.child(endingAfter: offset)
    let start = branch.start(of: child)
    branch.shift(from: child, by: -1)
    let element = remove(at: offset - start, in: &branch.nodes[child], height: height - 1)
    fill(child, of: branch, height: height)
    return element
  }

  @inlinable static func remove(at offset: Int, inLeaf node: inout AnyObject) -> Element {
    let isOwn = isKnownUniquelyReferenced(&node)
    let leaf = unsafeDowncast(node, to: Leaf.self)
    let count = leaf.count
    if isOwn { return leaf.remove(at: offset) }
    let element = leaf.elements[offset]
    let smaller = Leaf.make(capacity: Leaf.capacity(for: count - 1))
    smaller.take(0..<offset, of: leaf, moving: false)
    smaller.take(offset + 1..<count, of: leaf, moving: false)
    node = smaller
    return element
  }

  /// Gives a child that has too little of what its neighbour has, or joins both.
  @inlinable static func fill(_ child: Int, of branch: Branch, height: Int) {
    let (nodes, ends) = (branch.nodes, branch.ends)
    if height == 1 {
      if unsafeDowncast(nodes[child], to: Leaf.self).count >= Leaf.minimum { return }
    } else {
      if unsafeDowncast(nodes[child], to: Branch.self).count >= Branch.minimum { return }
    }
    if Int(ends[child]) == branch.start(of: child) {
      branch.remove(child)
      return
    }
    guard branch.count > 1 else { return }
    let left = child == 0 ? 0 : child - 1
    let isOne = balance(&nodes[left], &nodes[left + 1], height: height - 1)
    if isOne {
      ends[left] = ends[left + 1]
      branch.remove(left + 1)
    } else {
      ends[left] =
        Int32(branch.start(of: left) + count(of: nodes[left], height: height - 1))
    }
  }

  /// Takes off roots that have one child.
  @inlinable mutating func lower() {
    if length == 0 {
      root = nil
      height = 0
      return
    }
    while height > 0, let node = root {
      let branch = unsafeDowncast(node, to: Branch.self)
      guard branch.count == 1 else { return }
      root = branch.nodes[0]
      height -= 1
    }
  }
}
