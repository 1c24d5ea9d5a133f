/// A list that consists of adjacent blocks, which can be inserted, removed, moved and edited.
@usableFromInline
struct ListBlocks<Element> {
  @usableFromInline let output: ListEditor<Element>
  @usableFromInline var lengths: WeightedList
  @usableFromInline let block: BlockEditor<Element>

  @usableFromInline typealias Lifted = ListEditor<Element>.LiftedBlock

  @inlinable
  init(_ blocks: [SharedArray<Element>]) {
    output = ListEditor(Self.joined(blocks))
    block = BlockEditor(output)
    lengths = WeightedList(blocks.lazy.map { $0.count })
  }

  /// Long blocks share their storage; short ones are copied, which is faster than joining.
  @inlinable
  static func joined(_ blocks: [SharedArray<Element>]) -> SharedArray<Element> {
    let count = blocks.reduce(0) { $0 + $1.count }
    guard count >= 512 * blocks.count else { return SharedArray(blocks.lazy.joined()) }
    var elements = SharedArray<Element>()
    for block in blocks { elements.append(contentsOf: block) }
    return elements
  }

  /// Returns the range of a block in the list.
  @inlinable
  func range(of index: Int) -> Range<Int> {
    let start = lengths.sum(before: index)
    return start..<start + lengths[index]
  }

  @inlinable
  mutating func insert(_ blocks: [SharedArray<Element>], at index: Int) {
    let elements = Self.joined(blocks)
    if !elements.isEmpty {
      output.insert(contentsOf: elements, at: lengths.sum(before: index))
    }
    lengths.insert(contentsOf: blocks.lazy.map { $0.count }, at: index)
  }

  @inlinable
  mutating func remove(_ range: Range<Int>) {
    let start = lengths.sum(before: range.lowerBound)
    let end = lengths.sum(before: range.upperBound)
    lengths.removeSubrange(range)
    if start < end { output.remove(start..<end) }
  }

  @inlinable
  mutating func lift(_ index: Int) -> Lifted {
    let range = range(of: index)
    lengths.remove(at: index)
    return output.lift(range)
  }

  @inlinable
  mutating func drop(_ lifted: Lifted, at index: Int) {
    output.drop(lifted, at: lengths.sum(before: index))
    lengths.insert(lifted.elements.count, at: index)
  }

  /// Makes the edits of a change within a block.
  @inlinable
  mutating func apply(_ changes: ListChanges<Element>, to index: Int) {
    block.range = range(of: index)
    block.follow(changes)
    lengths.set(changes.elements.count, at: index)
  }

  /// Replaces the elements of a block.
  @inlinable
  mutating func replace(_ index: Int, with elements: SharedArray<Element>) {
    block.range = range(of: index)
    block.reset(to: elements)
    lengths.set(elements.count, at: index)
  }

  @inlinable
  mutating func reset(to blocks: [SharedArray<Element>]) {
    output.reset(to: Self.joined(blocks))
    lengths = WeightedList(blocks.lazy.map { $0.count })
  }
}

/// A follower that makes the edits of one list within a range of a longer list.
@usableFromInline
final class BlockEditor<Element>: ListFollower {
  @usableFromInline let output: ListEditor<Element>
  /// The range of the list before the edits.
  @usableFromInline @exclusivity(unchecked) var range = 0..<0

  @inlinable
  init(_ output: ListEditor<Element>) {
    self.output = output
  }

  @inlinable var start: Int { range.lowerBound }

  @inlinable
  func update(_ index: Int, to element: Element) { output.update(start + index, to: element) }

  @inlinable
  func remove(_ range: Range<Int>) {
    output.remove(start + range.lowerBound..<start + range.upperBound)
  }

  @inlinable
  func lift(_ index: Int) -> ListEditor<Element>.Lifted { output.lift(start + index) }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    if range.count == 1 {
      output.insert(list[range.lowerBound], at: start + range.lowerBound)
    } else {
      output.insert(contentsOf: list[range], at: start + range.lowerBound)
    }
  }

  @inlinable
  func drop(_ lifted: ListEditor<Element>.Lifted, at index: Int) {
    output.drop(lifted, at: start + index)
  }

  /// Replaces the elements of the range, because only the whole list can be reset.
  @inlinable
  func reset(to list: SharedArray<Element>) {
    if !range.isEmpty { output.remove(range) }
    if !list.isEmpty { output.insert(contentsOf: list, at: start) }
  }
}
