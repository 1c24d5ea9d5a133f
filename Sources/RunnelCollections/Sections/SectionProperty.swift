import RunnelStreams

// MARK: - Reading

extension ObservableCollection where Base: SectionedBase {
  /// The section at an index now.
  @inlinable
  public subscript(section: Int) -> ListSection<Base.Header, Base.Item> { value[section] }

  /// The item at a path now.
  @inlinable
  public subscript(path: ItemPath) -> Base.Item { value[path.section].items[path.item] }
}

// MARK: - Sections

extension CollectionProperty where Base: SectionedBase {
  /// A property of sections.
  @inlinable
  public convenience init<Header, Item>(
    sections: [ListSection<Header, Item>], file: StaticString = #fileID, line: UInt = #line
  ) where Base == Sections<Header, Item> {
    self.init(editor: SectionEditor(SharedArray(sections)), file: file, line: line)
  }

  /// Adds a section at the end.
  @inlinable
  public func append(_ section: ListSection<Base.Header, Base.Item>) {
    live.edit { $0.insert(section, at: $0.elements.count) }
  }

  /// Puts a section before the one at an index.
  @inlinable
  public func insert(_ section: ListSection<Base.Header, Base.Item>, at index: Int) {
    live.edit { $0.insert(section, at: index) }
  }

  /// Takes out the section at an index.
  @inlinable
  @discardableResult
  public func removeSection(at index: Int) -> ListSection<Base.Header, Base.Item> {
    live.edit { $0.remove(at: index) }
  }

  /// Takes out all sections: they are deleted, which is not a reset.
  @inlinable
  public func removeAll() {
    live.edit { editor in
      for index in editor.elements.indices.reversed() { _ = editor.remove(at: index) }
    }
  }

  /// Moves a section to where it has the given index afterwards.
  @inlinable
  public func moveSection(from source: Int, to destination: Int) {
    let count = count
    require(
      0..<count ~= source && 0..<count ~= destination,
      "Among \(count) sections nothing can move from \(source) to \(destination).")
    live.edit { $0.move(from: source, to: destination) }
  }

  /// Gives a section another header.
  @inlinable
  public func setHeader(_ header: Base.Header, ofSection index: Int) {
    live.edit { $0.setHeader(header, of: index) }
  }

  /// Makes it other sections: observers are told of a reset, and not of what is different.
  @inlinable
  public func replace(with sections: some Sequence<ListSection<Base.Header, Base.Item>>) {
    let new = SharedArray(sections)
    live.edit { $0.reset(to: new) }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Equatable {
  /// Makes it other sections, whose items are told apart by an id.
  @inlinable
  func replace<ID: Hashable>(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool,
    isSame: (Base.Item, Base.Item) -> Bool, by id: (Base.Item) -> ID
  ) {
    guard performDiff else { return replace(with: sections) }
    let new = SharedArray(sections)
    live.edit { $0.replace(with: new, isSame: isSame, by: id) }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Hashable {
  /// Makes it other sections. With a diff, observers are told in one event which sections come, go and
  /// move, and the same of the items of those that stay: sections are told apart by their headers,
  /// items by what they are equal to. Without one it is a reset.
  ///
  ///     let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
  ///     library.replace(with: [ListSection("Fiction", ["Emma", "Dune"])], performDiff: true)
  ///
  /// *Complexity*: as that of ``ListDifference``.
  @inlinable
  public func replace(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool
  ) {
    replace(with: sections, performDiff: performDiff, isSame: { _, _ in true }) { $0 }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Identifiable & Equatable {
  /// Makes it other sections. With a diff, observers are told in one event which sections come, go and
  /// move, and the same of the items of those that stay: an item with the same id that is not equal to
  /// what it was is updated. Without one it is a reset.
  ///
  /// *Complexity*: as that of ``ListDifference``.
  @inlinable
  public func replace(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool
  ) {
    replace(with: sections, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Identifiable & Hashable {
  /// Makes it other sections. With a diff, an item with the same id that is not equal to what it was is
  /// updated.
  @inlinable
  public func replace(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool
  ) {
    replace(with: sections, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

// MARK: - Items

extension CollectionProperty where Base: SectionedBase {
  /// The item at a path. Setting it sends an update, also if the new one equals the old one.
  @inlinable
  public subscript(path: ItemPath) -> Base.Item {
    get { value[path.section].items[path.item] }
    set { live.edit { $0.edit(path.section) { $0.update(path.item, to: newValue) } } }
  }

  /// Adds an item at the end of a section.
  @inlinable
  public func append(_ item: Base.Item, toSection section: Int) {
    live.edit { $0.edit(section) { $0.insert(item, at: $0.elements.count) } }
  }

  /// Adds items at the end of a section.
  @inlinable
  public func append(contentsOf items: some Sequence<Base.Item>, toSection section: Int) {
    let new = SharedArray(items)
    live.edit { $0.edit(section) { $0.insert(contentsOf: new, at: $0.elements.count) } }
  }

  /// Puts an item before the one at a path.
  @inlinable
  public func insert(_ item: Base.Item, at path: ItemPath) {
    live.edit { $0.edit(path.section) { $0.insert(item, at: path.item) } }
  }

  /// Takes out the item at a path.
  @inlinable
  @discardableResult
  public func remove(at path: ItemPath) -> Base.Item {
    live.edit { $0.edit(path.section) { $0.remove(at: path.item) } }
  }

  /// Moves an item to where it has the given path afterwards. In another section it counts as deleted
  /// there and inserted here.
  @inlinable
  public func move(from source: ItemPath, to destination: ItemPath) {
    live.edit { editor in
      if source.section == destination.section {
        editor.edit(source.section) { $0.move(from: source.item, to: destination.item) }
      } else {
        let item = editor.edit(source.section) { $0.remove(at: source.item) }
        editor.edit(destination.section) { $0.insert(item, at: destination.item) }
      }
    }
  }

  /// Takes out some items of a section and puts others there.
  @inlinable
  public func replaceItems(
    _ range: some RangeExpression<Int>, ofSection section: Int,
    with items: some Sequence<Base.Item>
  ) {
    let new = SharedArray(items)
    let range = range.relative(to: value[section].items)
    live.edit { editor in
      editor.edit(section) { editor in
        editor.remove(range)
        editor.insert(contentsOf: new, at: range.lowerBound)
      }
    }
  }
}
