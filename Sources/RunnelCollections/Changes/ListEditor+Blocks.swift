extension ListEditor {
  /// Elements side by side that were taken out to be put in again elsewhere.
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

  /// Takes out some elements to put them in again with ``drop(_:at:)``, for what one of them costs
  /// and little more.
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

  /// Puts in what was taken out.
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
