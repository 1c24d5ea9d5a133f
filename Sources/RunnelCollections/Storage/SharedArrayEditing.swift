extension SharedArray {
  /// Returns true when a node has one reference.
  @inlinable @inline(__always) static func isOwn(_ node: inout AnyObject) -> Bool {
    // Safety: nodes are native objects, and the check does not depend on their class. A check of
    // `AnyObject` would first find out whether the object is native.
    withUnsafeMutablePointer(to: &node) {
      $0.withMemoryRebound(to: Branch.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
  }

  /// Makes a branch unique by copying it if needed. The result is not retained, because its parent
  /// retains it.
  @inlinable @inline(__always) static func ownBranch(_ node: inout AnyObject) -> Unmanaged<Branch> {
    if !isOwn(&node) { node = unsafeDowncast(node, to: Branch.self).copy() }
    return .passUnretained(unsafeDowncast(node, to: Branch.self))
  }

  /// Makes a leaf unique by copying it if needed. The result is not retained, because its parent
  /// retains it.
  @inlinable @inline(__always) static func ownLeaf(_ node: inout AnyObject) -> Unmanaged<Leaf> {
    if !isOwn(&node) { node = copy(unsafeDowncast(node, to: Leaf.self)) }
    return .passUnretained(unsafeDowncast(node, to: Leaf.self))
  }

  @inlinable static func copy(_ leaf: Leaf) -> Leaf {
    let copy = Leaf.make(for: leaf.count)
    copy.take(0..<leaf.count, of: leaf)
    return copy
  }

  // MARK: - Single elements

  /// Returns a new right sibling if the node has to be split.
  @inlinable static func insert(
    _ element: consuming Element, at offset: Int, in node: inout AnyObject, height: Int,
    isLast: Bool
  ) -> AnyObject? {
    if height == 0 { return insert(element, at: offset, inLeaf: &node, isLast: isLast) }
    let branch = ownBranch(&node)
    // An insertion between two children is made at the end of the first one.
    let (child, start) = branch._withUnsafeGuaranteedRef { $0.grow(after: offset - 1, by: 1) }
    let (place, count) = branch._withUnsafeGuaranteedRef { ($0.nodes + child, $0.count) }
    let next = insert(
      element, at: offset - start, in: &place.pointee, height: height - 1,
      isLast: isLast && child == count - 1)
    guard let next else { return nil }
    return branch._withUnsafeGuaranteedRef { branch in
      let slot = Slot(end: Int(branch.ends[child]), node: next)
      branch.ends[child] -= Int32(Self.count(of: next, height: height - 1))
      return branch.insert(slot, at: child + 1)
    }
  }

  @inlinable static func insert(
    _ element: consuming Element, at offset: Int, inLeaf node: inout AnyObject, isLast: Bool
  ) -> AnyObject? {
    let isOwn = isOwn(&node)
    let place = Unmanaged.passUnretained(unsafeDowncast(node, to: Leaf.self))
    if isOwn, place._withUnsafeGuaranteedRef({ $0.count < $0.room }) {
      place._withUnsafeGuaranteedRef { $0.makeGap(at: offset) }.initialize(to: element)
      return nil
    }
    let leaf = unsafeDowncast(node, to: Leaf.self)
    let count = leaf.count
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
      // Appending leaves full leaves.
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

  /// Afterwards, the node may have fewer than `minimum` items.
  @inlinable static func remove(
    at offset: Int, in node: inout AnyObject, height: Int
  ) -> Element {
    if height == 0 { return remove(at: offset, inLeaf: &node) }
    let branch = ownBranch(&node)
    let (child, start) = branch._withUnsafeGuaranteedRef { $0.grow(after: offset, by: -1) }
    let place = branch._withUnsafeGuaranteedRef { $0.nodes + child }
    let element = remove(at: offset - start, in: &place.pointee, height: height - 1)
    branch._withUnsafeGuaranteedRef { fill(child, of: $0, height: height) }
    return element
  }

  @inlinable static func remove(at offset: Int, inLeaf node: inout AnyObject) -> Element {
    let isOwn = isOwn(&node)
    let place = Unmanaged.passUnretained(unsafeDowncast(node, to: Leaf.self))
    if isOwn { return place._withUnsafeGuaranteedRef { $0.remove(at: offset) } }
    let leaf = unsafeDowncast(node, to: Leaf.self)
    let count = leaf.count
    let element = leaf.elements[offset]
    let smaller = Leaf.make(capacity: Leaf.capacity(for: count - 1))
    smaller.take(0..<offset, of: leaf, moving: false)
    smaller.take(offset + 1..<count, of: leaf, moving: false)
    node = smaller
    return element
  }

  /// Balances a child that has too few items with a sibling, or merges them.
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

  /// Removes roots that have a single child.
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
