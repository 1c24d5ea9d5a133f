/// An iterator over the entries of a trie, those of a node before those of its children.
@usableFromInline
struct TrieIterator<Entry>: IteratorProtocol {
  @usableFromInline typealias Node = TrieNode<Entry>

  /// The path to the current node, which is last. `children` is the number of visited children.
  @usableFromInline var way: [(node: Node, children: Int)] = []
  @usableFromInline var position = 0

  @inlinable init(_ root: Node?) {
    if let root { way.append((root, 0)) }
  }

  @inlinable mutating func next() -> Entry? {
    while let (node, _) = way.last {
      let entry: Entry? = withExtendedLifetime(node) {
        let view = TrieView(Unmanaged.passUnretained(node))
        return position < view.entryCount ? view.entries[position] : nil
      }
      if let entry {
        position += 1
        return entry
      }
      advance()
    }
    return nil
  }

  /// Advances to the next node.
  @inlinable mutating func advance() {
    while let (node, children) = way.last {
      let child: Node? = withExtendedLifetime(node) {
        let view = TrieView(Unmanaged.passUnretained(node))
        return children < view.childCount ? view.child(children).takeUnretainedValue() : nil
      }
      if let child {
        way[way.count - 1].children += 1
        way.append((child, 0))
        position = 0
        return
      }
      way.removeLast()
    }
  }
}
