import RunnelStreams

extension ObservableList {
  /// Returns the live list of the first elements, at most `maxLength`.
  ///
  ///     let next = shelf.prefix(2)
  ///     print(next.value)  // ["Emma", "Dune"]
  ///
  /// An insertion at the front is reported as one insert, and one delete of the element that no
  /// longer fits.
  @inlinable
  public func prefix(_ maxLength: Int) -> LiveCollection<[Base.Element]> {
    requireLength(maxLength)
    return sliced { 0..<Swift.min(maxLength, $0) }
  }

  /// Returns the live list of the last elements, at most `maxLength`.
  ///
  ///     let latest = shelf.suffix(2)
  ///     print(latest.value)  // ["Dune", "It"]
  @inlinable
  public func suffix(_ maxLength: Int) -> LiveCollection<[Base.Element]> {
    requireLength(maxLength)
    return sliced { Swift.max(0, $0 - maxLength)..<$0 }
  }

  /// Returns the live list without the first `count` elements.
  ///
  ///     let others = shelf.dropFirst()
  ///     print(others.value)  // ["Dune", "It"]
  @inlinable
  public func dropFirst(_ count: Int = 1) -> LiveCollection<[Base.Element]> {
    requireLength(count)
    return sliced { Swift.min(count, $0)..<$0 }
  }

  /// Returns the live list without the last `count` elements.
  ///
  ///     let others = shelf.dropLast()
  ///     print(others.value)  // ["Emma", "Dune"]
  @inlinable
  public func dropLast(_ count: Int = 1) -> LiveCollection<[Base.Element]> {
    requireLength(count)
    return sliced { 0..<Swift.max(0, $0 - count) }
  }

  /// Returns the live list of the elements in a range of indices. The range may exceed the list.
  ///
  ///     let page = shelf.slice(1..<3)
  ///     let rest = shelf.slice(1...)
  ///     print(page.value, rest.value.count)  // ["Dune", "It"] 2
  ///
  /// The indices are fixed. An insertion before them is reported as one insert of the element that
  /// enters the range, and one delete of the element that leaves it.
  @inlinable
  public func slice(_ range: some RangeExpression<Int>) -> LiveCollection<[Base.Element]> {
    let range = range.relative(to: 0..<Int.max)
    requireSlice(range)
    return sliced { range.clamped(to: 0..<$0) }
  }

  /// Returns the live list of the elements in the latest range of a stream, for example one page or
  /// the visible part of a long list. The range may exceed the list. The result is empty before the
  /// first range.
  ///
  ///     let top = Property(0)
  ///     let page = shelf.slice(by: top.map { $0..<$0 + 2 })
  ///     top.value = 1
  ///     print(page.value)  // ["Dune", "It"]
  ///
  /// *Events*: a new range sends one event, which contains only the elements that enter or leave
  /// it. A range that arrives during a batch of the source, or before pending changes, waits for
  /// them.
  @inlinable
  public func slice(
    by ranges: any StreamConvertible<Range<Int>, Never>
  ) -> LiveCollection<[Base.Element]> {
    let ranges = ranges.stream
    let start = value
    let slicing = SlicedList(start) { _ in 0..<0 }
    let derived = LiveCollection<[Base.Element]>(slicing.output)
    derived.follow(live, since: start, by: ranges) {
      slicing.follow($0)
    } change: { range, list in
      requireSlice(range)
      slicing.change(of: list) { range.clamped(to: 0..<$0) }
    }
    return derived
  }

  @inlinable
  func sliced(by window: @escaping (Int) -> Range<Int>) -> LiveCollection<[Base.Element]> {
    let start = value
    return LiveCollection(of: SlicedList(start, window), following: live, since: start)
  }
}

@usableFromInline
func requireLength(_ length: Int) {
  require(
    length >= 0,
    "The length \(length) is negative. Pass 0 or more, for example `max(0, length)`.")
}

@usableFromInline
func requireSlice(_ range: Range<Int>) {
  require(
    range.lowerBound >= 0,
    "The slice begins at \(range.lowerBound). Pass a range that begins at 0 or later.")
}

/// A follower that keeps the elements of a window. During a change the output is the rest of
/// the old window, wherever it has moved. At the end it is trimmed and filled to match the window.
@usableFromInline
final class SlicedList<Element>: ListFollower {
  /// An element that stays in the window, but was removed from its old position.
  @usableFromInline
  struct Waiting {
    @usableFromInline let lifted: ListEditor<Element>.Lifted
    /// The index in the source after the change.
    @usableFromInline let index: Int

    @inlinable
    init(lifted: ListEditor<Element>.Lifted, index: Int) {
      self.lifted = lifted
      self.index = index
    }
  }

  @usableFromInline let output: ListEditor<Element>
  /// Returns the range to keep of a list with the given count.
  @usableFromInline @exclusivity(unchecked) var window: (Int) -> Range<Int>
  /// The source after the change in progress, otherwise empty. A stored list would make the source
  /// copy on its next change.
  @usableFromInline @exclusivity(unchecked) var list = SharedArray<Element>()
  /// The range of the current source that the output covers.
  @usableFromInline @exclusivity(unchecked) var covered: Range<Int>
  @usableFromInline @exclusivity(unchecked) var waiting: [Waiting] = []

  @inlinable
  init(_ list: SharedArray<Element>, _ window: @escaping (Int) -> Range<Int>) {
    self.window = window
    covered = window(list.count)
    output = ListEditor(list.part(covered))
  }

  @inlinable
  func follow(_ changes: ListChanges<Element>) {
    list = changes.elements
    changes.replay(to: self)
  }

  @inlinable
  func update(_ index: Int, to element: Element) {
    if covered.contains(index) { output.update(index - covered.lowerBound, to: element) }
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    let removed = range.clamped(to: covered)
    if !removed.isEmpty {
      output.remove(
        removed.lowerBound - covered.lowerBound..<removed.upperBound - covered.lowerBound)
    }
    let before = Swift.max(0, Swift.min(range.upperBound, covered.lowerBound) - range.lowerBound)
    let start = covered.lowerBound - before
    covered = start..<start + output.elements.count
  }

  @inlinable
  func lift(_ index: Int) -> ListEditor<Element>.Lifted? {
    guard covered.contains(index) else {
      remove(index..<index + 1)
      return nil
    }
    covered = covered.lowerBound..<covered.upperBound - 1
    return output.lift(index - covered.lowerBound)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    if range.lowerBound <= covered.lowerBound {
      covered = covered.lowerBound + range.count..<covered.upperBound + range.count
    } else if range.lowerBound < covered.upperBound {
      output.insert(contentsOf: list[range], at: range.lowerBound - covered.lowerBound)
      covered = covered.lowerBound..<covered.upperBound + range.count
    }
  }

  @inlinable
  func drop(_ lifted: ListEditor<Element>.Lifted?, at index: Int) {
    guard let lifted else {
      return insert(index..<index + 1, of: list)
    }
    if covered.lowerBound <= index && index <= covered.upperBound {
      output.drop(lifted, at: index - covered.lowerBound)
      covered = covered.lowerBound..<covered.upperBound + 1
      return
    }
    if index < covered.lowerBound {
      covered = covered.lowerBound + 1..<covered.upperBound + 1
    }
    if window(list.count).contains(index) {
      waiting.append(Waiting(lifted: lifted, index: index))
    } else {
      output.drop(lifted, at: 0)
      output.remove(at: 0)
    }
  }

  @inlinable
  func settle() {
    let wanted = window(list.count)
    let kept = covered.clamped(to: wanted)
    if kept.isEmpty {
      removeFromOutput(0..<output.elements.count)
      fill(wanted, at: 0)
    } else {
      let start = covered.lowerBound
      removeFromOutput(kept.upperBound - start..<output.elements.count)
      removeFromOutput(0..<kept.lowerBound - start)
      fill(kept.upperBound..<wanted.upperBound, at: output.elements.count)
      fill(wanted.lowerBound..<kept.lowerBound, at: 0)
    }
    covered = wanted
    waiting = []
    list = SharedArray()
  }

  @inlinable
  func removeFromOutput(_ range: Range<Int>) {
    if !range.isEmpty { output.remove(range) }
  }

  /// Inserts the elements at a range of source indices. Waiting elements are moved, not inserted.
  @inlinable
  func fill(_ range: Range<Int>, at place: Int) {
    var start = range.lowerBound
    func insert(upTo end: Int) {
      if start < end {
        output.insert(contentsOf: list[start..<end], at: place + start - range.lowerBound)
      }
    }
    for item in waiting where range.contains(item.index) {
      insert(upTo: item.index)
      output.drop(item.lifted, at: place + item.index - range.lowerBound)
      start = item.index + 1
    }
    insert(upTo: range.upperBound)
  }

  @inlinable
  func change(of list: SharedArray<Element>, to window: @escaping (Int) -> Range<Int>) {
    self.list = list
    self.window = window
    settle()
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    covered = window(list.count)
    output.reset(to: list.part(covered))
  }
}
