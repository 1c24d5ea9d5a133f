/// An iterator over the elements of a `ChunkedList`.
@usableFromInline package struct ChunkIterator: IteratorProtocol {
  @usableFromInline let chunks: ContiguousArray<ContiguousArray<Int32>>
  @usableFromInline var place = 0
  @usableFromInline var offset = 0
  @usableFromInline var chunk: ContiguousArray<Int32> = []

  init(_ chunks: ContiguousArray<ContiguousArray<Int32>>) {
    self.chunks = chunks
  }

  @inlinable package mutating func next() -> Int32? {
    // No chunk is empty.
    if offset == chunk.count {
      guard place < chunks.count else { return nil }
      chunk = chunks[place]
      (place, offset) = (place + 1, 0)
    }
    defer { offset += 1 }
    return chunk[offset]
  }
}
