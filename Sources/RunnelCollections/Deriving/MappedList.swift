import RunnelStreams

extension ObservableList {
  /// Returns the live list of the closure's results, in the same order.
  ///
  ///     let lengths = shelf.map { $0.count }
  ///     print(lengths.value)  // [4, 4, 2]
  ///
  /// The closure runs once for each initial, inserted or updated element, and not for others.
  @inlinable
  public func map<Output>(
    _ transform: @escaping (Base.Element) -> Output
  ) -> LiveCollection<[Output]> {
    let start = value
    let editor = ListEditor(SharedArray(start.lazy.map(transform)))
    return LiveCollection(of: MappedList(editor, transform), following: live, since: start)
  }
}

@usableFromInline
final class MappedList<Input, Output>: ListFollower {
  @usableFromInline let output: ListEditor<Output>
  @usableFromInline let transform: (Input) -> Output

  @inlinable
  init(_ output: ListEditor<Output>, _ transform: @escaping (Input) -> Output) {
    self.output = output
    self.transform = transform
  }

  @inlinable
  func update(_ index: Int, to element: Input) {
    output.update(index, to: transform(element))
  }

  @inlinable
  func remove(_ range: Range<Int>) { output.remove(range) }

  @inlinable
  func lift(_ index: Int) -> ListEditor<Output>.Lifted { output.lift(index) }

  @inlinable
  func insert(_ element: Input, at index: Int, of list: SharedArray<Input>) {
    output.insert(transform(element), at: index)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Input>) {
    if range.count == 1 {
      insert(list[range.lowerBound], at: range.lowerBound, of: list)
    } else {
      output.insert(contentsOf: list[range].map(transform), at: range.lowerBound)
    }
  }

  @inlinable
  func drop(_ lifted: ListEditor<Output>.Lifted, at index: Int) { output.drop(lifted, at: index) }

  @inlinable
  func reset(to list: SharedArray<Input>) {
    output.reset(to: SharedArray(list.lazy.map(transform)))
  }
}

extension ListEditor {
  /// Makes the edits of a change.
  @inlinable
  public func apply(_ changes: ListChanges<Element>) {
    requireCount(of: changes)
    MappedList(self) { $0 }.follow(changes)
  }
}
