extension ListEditor {
  /// A run of elements that were lifted, to be dropped at another index.
  @usableFromInline
  struct LiftedBlock {
    @usableFromInline let runs: [Run]
    @usableFromInline let elements: [Element]

    @inlinable
    init(runs: [Run], elements: [Element]) {
      self.runs = runs
      self.elements = elements
    }
  }

  /// Removes a range of elements, to be inserted again with ``drop(_:at:)``. The cost is close to
  /// that of lifting one element.
  @inlinable
  func lift(_ range: Range<Int>) -> LiftedBlock {
    guard !range.isEmpty else { return LiftedBlock(runs: [], elements: []) }
    begin()
    liftedCount += 1
    let elements = Array(list[range])
    list.removeSubrange(range)
    var lifted = runs.remove(range)
    for index in lifted.indices { lifted[index].isMoved = !lifted[index].isNew }
    return LiftedBlock(runs: lifted, elements: elements)
  }

  /// Inserts a lifted block again.
  @inlinable
  func drop(_ block: LiftedBlock, at index: Int) {
    guard !block.elements.isEmpty else { return }
    noteReturn()
    list.insert(contentsOf: block.elements, at: index)
    var place = index
    for run in block.runs {
      runs.insert(run, at: place)
      place += run.count
    }
  }
}
