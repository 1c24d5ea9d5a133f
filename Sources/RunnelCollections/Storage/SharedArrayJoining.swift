// Lists are cut and joined along paths. All nodes between the paths are shared.

extension SharedArray {
  /// Merges two siblings of the same height if they fit into one node, or distributes their items
  /// evenly if one has too few. Returns true if they were merged.
  @inlinable static func balance(
    _ left: inout AnyObject, _ right: inout AnyObject, height: Int
  ) -> Bool {
    height == 0
      ? balance(&left, &right, as: Leaf.self) : balance(&left, &right, as: Branch.self)
  }

  @inlinable static func balance<Node: SharedArrayNode>(
    _ left: inout AnyObject, _ right: inout AnyObject, as type: Node.Type
  ) -> Bool {
    let first = unsafeDowncast(left, to: type)
    let second = unsafeDowncast(right, to: type)
    let (a, b) = (first.count, second.count)
    if Swift.min(a, b) >= Node.minimum, a + b > Node.maximum { return false }
    let merges = a + b <= Node.maximum
    let middle = merges ? a + b : (a + b) / 2
    let head = Node.make(for: middle)
    head.take(0..<Swift.min(a, middle), of: first)
    if middle > a { head.take(0..<middle - a, of: second) }
    if merges {
      left = head
      return true
    }
    let tail = Node.make(for: a + b - middle)
    if middle < a { tail.take(middle..<a, of: first) }
    tail.take(Swift.max(0, middle - a)..<b, of: second)
    left = head
    right = tail
    return false
  }

  @inlinable static func join(_ left: SharedArray, _ right: SharedArray) -> SharedArray {
    guard let first = left.root else { return right }
    guard let second = right.root else { return left }
    requireRoom(for: left.count + right.count)
    let goesRight = left.height >= right.height
    let height = Swift.max(left.height, right.height)
    var node = goesRight ? first : second
    let next =
      goesRight
      ? attach(second, height: right.height, behind: &node, height: height)
      : attach(first, height: left.height, before: &node, height: height)
    guard let next else { return SharedArray(root: node, height: height) }
    return SharedArray(root: parent(of: node, next, height: height), height: height + 1)
  }

  @inlinable static func parent(of left: AnyObject, _ right: AnyObject, height: Int) -> Branch {
    let branch = Branch.make()
    let end = count(of: left, height: height)
    branch.add(left, end: end)
    branch.add(right, end: end + count(of: right, height: height))
    return branch
  }

  /// Appends a node to one of the same or a greater height. Returns a new right sibling if the node
  /// has to be split.
  @inlinable static func attach(
    _ other: AnyObject, height otherHeight: Int, behind node: inout AnyObject, height: Int
  ) -> AnyObject? {
    if height == otherHeight {
      var next = other
      return balance(&node, &next, height: height) ? nil : next
    }
    let branch = ownBranch(&node).takeUnretainedValue()
    let last = branch.count - 1
    let next = attach(
      other, height: otherHeight, behind: &branch.nodes[last], height: height - 1)
    let end = branch.start(of: last) + count(of: branch.nodes[last], height: height - 1)
    branch.ends[last] = Int32(end)
    guard let next else { return nil }
    let slot = Slot(end: end + count(of: next, height: height - 1), node: next)
    return branch.insert(slot, at: last + 1)
  }

  /// Prepends a node to one of the same or a greater height. Returns a new right sibling if the
  /// node has to be split.
  @inlinable static func attach(
    _ other: AnyObject, height otherHeight: Int, before node: inout AnyObject, height: Int
  ) -> AnyObject? {
    if height == otherHeight {
      var next = node
      node = other
      return balance(&node, &next, height: height) ? nil : next
    }
    let branch = ownBranch(&node).takeUnretainedValue()
    let added = count(of: other, height: otherHeight)
    _ = branch.grow(after: -1, by: added)
    let next = attach(
      other, height: otherHeight, before: &branch.nodes[0], height: height - 1)
    guard let next else { return nil }
    let slot = Slot(end: Int(branch.ends[0]), node: next)
    branch.ends[0] -= Int32(count(of: next, height: height - 1))
    return branch.insert(slot, at: 1)
  }

  /// Returns the length of the common prefix of two lists. Shared leaves are not compared.
  @inlinable func commonStart(
    with other: SharedArray, where areSame: (Element, Element) -> Bool
  ) -> Int {
    let end = Swift.min(count, other.count)
    var index = 0
    while index < end {
      let (ours, offset, length) = leaf(at: index)
      let (theirs, otherOffset, otherLength) = other.leaf(at: index)
      let next = Swift.min(index + length - offset, index + otherLength - otherOffset, end)
      // Safety: `self` and `other` retain the leaves while the closure runs, and the access stays
      // within them.
      let (mine, yours) = (ours + offset, theirs + otherOffset)
      if mine != yours {
        for step in 0..<next - index where !areSame(mine[step], yours[step]) { return index + step }
      }
      index = next
    }
    return end
  }

  /// Returns true when one list is a prefix of the other. The last element of the prefix is
  /// compared first, which is cheap when the lists differ.
  @inlinable func beginsLike(
    _ other: SharedArray, where areSame: (Element, Element) -> Bool
  ) -> Bool {
    let length = Swift.min(count, other.count)
    guard length > 0 else { return true }
    return areSame(self[length - 1], other[length - 1])
      && commonStart(with: other, where: areSame) == length
  }

  @inlinable package func part(_ range: Range<Int>) -> SharedArray {
    head(range.upperBound).tail(from: range.lowerBound)
  }

  @inlinable func head(_ length: Int) -> SharedArray {
    if length >= count { return self }
    guard length > 0, let root else { return SharedArray() }
    return Self.cut(root, height: height, at: length, keepsHead: true)
  }

  @inlinable func tail(from start: Int) -> SharedArray {
    if start <= 0 { return self }
    guard start < count, let root else { return SharedArray() }
    return Self.cut(root, height: height, at: start, keepsHead: false)
  }

  /// Returns the part of a node before or after an offset.
  @inlinable static func cut(
    _ node: AnyObject, height: Int, at offset: Int, keepsHead: Bool
  ) -> SharedArray {
    if height == 0 {
      let leaf = unsafeDowncast(node, to: Leaf.self)
      let range = keepsHead ? 0..<offset : offset..<leaf.count
      let part = Leaf.make(capacity: Leaf.capacity(for: range.count))
      part.take(range, of: leaf, moving: false)
      return SharedArray(root: part, height: 0)
    }
    let branch = unsafeDowncast(node, to: Branch.self)
    let child = branch.child(endingAfter: offset)
    let rest = offset - branch.start(of: child)
    let cutsChild = rest > 0
    let whole =
      keepsHead ? 0..<child : (cutsChild ? child + 1 : child)..<branch.count
    let others = some(whole, of: branch, height: height)
    guard cutsChild else { return others }
    let part = cut(
      branch.nodes[child], height: height - 1, at: rest, keepsHead: keepsHead)
    return keepsHead ? join(others, part) : join(part, others)
  }

  /// Returns some children of a branch as a list.
  @inlinable static func some(
    _ children: Range<Int>, of branch: Branch, height: Int
  ) -> SharedArray {
    if children.isEmpty { return SharedArray() }
    if children.count == 1 {
      return SharedArray(root: branch.nodes[children.lowerBound], height: height - 1)
    }
    let part = Branch.make()
    part.take(children, of: branch)
    return SharedArray(root: part, height: height)
  }
}
