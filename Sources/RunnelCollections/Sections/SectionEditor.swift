/// A list of sections with a record of the changes since the last event.
///
/// A ``ListEditor`` edits the list of sections, and another one the items of each edited section.
public final class SectionEditor<Header, Item> {
  @usableFromInline typealias Section = ListSection<Header, Item>

  /// The edits of one section.
  @usableFromInline
  final class Work {
    @usableFromInline let items: ListEditor<Item>
    @usableFromInline var hasNewHeader = false

    @inlinable
    init(on items: SharedArray<Item>) {
      self.items = ListEditor(items)
    }
  }

  @usableFromInline let list: ListEditor<ListSection<Header, Item>>
  /// The edits of each section, or nil for an unedited one.
  @usableFromInline var works: SharedArray<Work?>
  /// The number of lifted items that were not dropped yet.
  @usableFromInline var liftedCount = 0

  /// Creates an editor of sections, without changes.
  @inlinable
  public init(_ sections: SharedArray<ListSection<Header, Item>>) {
    list = ListEditor(sections)
    works = Self.nothing(of: sections)
  }

  @inlinable
  static func nothing(of sections: SharedArray<Section>) -> SharedArray<Work?> {
    SharedArray(repeatElement(nil, count: sections.count))
  }

  /// The current sections.
  @inlinable
  public var elements: SharedArray<ListSection<Header, Item>> { list.elements }

  // MARK: - Sections

  @inlinable
  func insert(_ section: ListSection<Header, Item>, at index: Int) {
    list.insert(section, at: index)
    works.insert(nil, at: index)
  }

  @inlinable
  func remove(at index: Int) -> ListSection<Header, Item> {
    works.remove(at: index)
    return list.remove(at: index)
  }

  /// A section that was lifted, to be dropped at another index.
  @usableFromInline
  struct Lifted {
    @usableFromInline let section: ListEditor<Section>.Lifted
    @usableFromInline let work: Work?

    @inlinable
    init(section: ListEditor<Section>.Lifted, work: Work?) {
      self.section = section
      self.work = work
    }
  }

  @inlinable
  func lift(_ index: Int) -> Lifted {
    Lifted(section: list.lift(index), work: works.remove(at: index))
  }

  @inlinable
  func drop(_ lifted: Lifted, at index: Int) {
    list.drop(lifted.section, at: index)
    works.insert(lifted.work, at: index)
  }

  @inlinable
  func move(from source: Int, to destination: Int) {
    guard source != destination else { return }
    drop(lift(source), at: destination)
  }

  @inlinable
  func setHeader(_ header: Header, of index: Int) {
    let section = list.elements[index]
    work(on: index).hasNewHeader = true
    list.update(index, to: ListSection(header: header, items: section.items))
  }

  // MARK: - Items

  @inlinable
  func edit<Output>(_ index: Int, _ body: (ListEditor<Item>) -> Output) -> Output {
    let header = list.elements[index].header
    let work = work(on: index)
    liftedCount -= work.items.liftedCount
    let output = body(work.items)
    liftedCount += work.items.liftedCount
    list.update(index, to: ListSection(header: header, items: work.items.elements))
    return output
  }

  @inlinable
  func work(on index: Int) -> Work {
    if let work = works[index] { return work }
    let work = Work(on: list.elements[index].items)
    works[index] = work
    return work
  }
}

// MARK: - Bulk edits

extension SectionEditor {
  /// Makes the edits that lead to other sections, matching sections by header.
  @inlinable
  func replace<ID: Hashable>(
    with new: SharedArray<ListSection<Header, Item>>,
    isSame: (Item, Item) -> Bool,
    by id: (Item) -> ID
  ) where Header: Hashable, Item: Equatable {
    let old = elements
    let sources = ListOrigins(from: old, to: new) { $0.header }
    var changes: [(section: Int, items: ListChanges<Item>)] = []
    for (section, origin) in zip(new, sources.origins) where origin >= 0 {
      let items = ListEditor(old[Int(origin)].items)
      if items.elements == section.items { continue }
      items.replace(with: section.items, isSame: isSame, by: id)
      if let items = items.finish() { changes.append((Int(origin), items)) }
    }
    // A comparison may have edited the sections reentrantly.
    guard elements.isIdentical(to: old) else { return reset(to: new) }
    for (section, items) in changes { edit(section) { $0.apply(items) } }
    var taken: [Int32: Lifted] = [:]
    let movers = Set(sources.moved.map { sources.origins[$0] })
    for (index, stays) in sources.stays.enumerated().reversed() {
      if !stays {
        _ = remove(at: index)
      } else if movers.contains(Int32(index)) {
        taken[Int32(index)] = lift(index)
      }
    }
    for (index, origin) in sources.origins.enumerated() {
      if origin < 0 {
        insert(new[index], at: index)
      } else if let lifted = taken[origin] {
        drop(lifted, at: index)
      }
    }
  }
}

extension SectionEditor: CollectionEditor {
  /// True: the editor checks for reentrant edits after each call of a closure.
  @inlinable public static var canNest: Bool { true }

  /// True when the next event is a reset, because the sections were replaced.
  @inlinable
  public var isReset: Bool {
    get { list.isReset }
    set { list.isReset = newValue }
  }

  /// True while a lifted section or item was not dropped yet.
  @inlinable var isIncomplete: Bool { liftedCount > 0 || list.isIncomplete }

  /// True when there are edits that were not delivered yet.
  @inlinable public var isTouched: Bool { list.isTouched }

  /// Replaces the sections. The next event is a reset.
  @inlinable
  public func reset(to sections: SharedArray<ListSection<Header, Item>>) {
    assert(!isIncomplete, "A lifted element was not dropped.")
    list.reset(to: sections)
    works = Self.nothing(of: sections)
  }

  /// Makes the edits of a change.
  @inlinable
  public func apply(_ changes: SectionChanges<Header, Item>) {
    list.requireCount(of: changes.list)
    for items in changes.items { edit(items.section) { $0.apply(items.changes) } }
    changes.list.replay(to: SectionMapping(self, newHeaders: Set(changes.headers)))
  }

  /// Replaces the storage with that of equal sections, to share it. No change is recorded.
  @inlinable
  public func share(_ sections: SharedArray<ListSection<Header, Item>>) { list.share(sections) }

  /// Returns the changes since the last call, or nil if there are none.
  @inlinable
  public func finish() -> SectionChanges<Header, Item>? {
    assert(!isIncomplete, "A lifted element was not dropped before the edits end.")
    guard let list = list.finish() else { return nil }
    var headers = IndexRuns()
    var items: [SectionChanges<Header, Item>.Items] = []
    for update in list.updatePlaces {
      guard let work = works[update.to] else { continue }
      works[update.to] = nil
      if work.hasNewHeader { headers.append(update.from..<update.from + 1) }
      if let changes = work.items.finish() {
        items.append(.init(section: update.from, newSection: update.to, changes: changes))
      }
    }
    for index in list.inserts where works[index] != nil { works[index] = nil }
    let changes = SectionChanges(headers: headers, items: items, list: list)
    return changes.isEmpty ? nil : changes
  }
}

/// A follower that inserts, removes and moves the sections of an editor as another list of sections
/// changes.
@usableFromInline
final class SectionMapping<Header, Item>: ListFollower {
  @usableFromInline typealias Element = ListSection<Header, Item>

  @usableFromInline let output: SectionEditor<Header, Item>
  /// The sections with a new header, by old index.
  @usableFromInline let newHeaders: Set<Int>

  @inlinable
  init(_ output: SectionEditor<Header, Item>, newHeaders: Set<Int>) {
    self.output = output
    self.newHeaders = newHeaders
  }

  @inlinable
  func update(_ index: Int, to section: Element) {
    if newHeaders.contains(index) { output.setHeader(section.header, of: index) }
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    for index in range.reversed() { _ = output.remove(at: index) }
  }

  @inlinable
  func lift(_ index: Int) -> SectionEditor<Header, Item>.Lifted { output.lift(index) }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    for (index, section) in zip(range, list[range]) { output.insert(section, at: index) }
  }

  @inlinable
  func drop(_ lifted: SectionEditor<Header, Item>.Lifted, at index: Int) {
    output.drop(lifted, at: index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) { output.reset(to: list) }
}
