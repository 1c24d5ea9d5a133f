import RunnelStreams

// MARK: - Reading

extension ObservableCollection where Base: SectionedBase {
  /// The current section at an index.
  @inlinable
  public subscript(section: Int) -> ListSection<Base.Header, Base.Item> { value[section] }

  /// The current item at a path.
  @inlinable
  public subscript(path: ItemPath) -> Base.Item { value[path.section].items[path.item] }
}

// MARK: - Sections

extension CollectionProperty where Base: SectionedBase {
  /// Creates a property of sections.
  @inlinable
  public convenience init<Header, Item>(
    sections: [ListSection<Header, Item>], file: StaticString = #fileID, line: UInt = #line
  ) where Base == Sections<Header, Item> {
    self.init(editor: SectionEditor(SharedArray(sections)), file: file, line: line)
  }

  /// Appends a section.
  @inlinable
  public func append(_ section: ListSection<Base.Header, Base.Item>) {
    live.edit { $0.insert(section, at: $0.elements.count) }
  }

  /// Inserts a section before the one at an index.
  @inlinable
  public func insert(_ section: ListSection<Base.Header, Base.Item>, at index: Int) {
    live.edit { $0.insert(section, at: index) }
  }

  /// Removes and returns the section at an index.
  @inlinable
  @discardableResult
  public func removeSection(at index: Int) -> ListSection<Base.Header, Base.Item> {
    live.edit { $0.remove(at: index) }
  }

  /// Deletes all sections. Observers receive deletes, not a reset.
  @inlinable
  public func removeAll() {
    live.edit { editor in
      for index in editor.elements.indices.reversed() { _ = editor.remove(at: index) }
    }
  }

  /// Moves a section. `destination` is its index after the move.
  @inlinable
  public func moveSection(from source: Int, to destination: Int) {
    let count = count
    require(
      0..<count ~= source && 0..<count ~= destination,
      "Cannot move section \(source) to \(destination) of \(count). Use valid indices.")
    live.edit { $0.move(from: source, to: destination) }
  }

  /// Sets the header of a section.
  @inlinable
  public func setHeader(_ header: Base.Header, ofSection index: Int) {
    live.edit { $0.setHeader(header, of: index) }
  }

  /// Replaces the sections. Observers receive a reset without the differences.
  @inlinable
  public func replace(with sections: some Sequence<ListSection<Base.Header, Base.Item>>) {
    let new = SharedArray(sections)
    live.edit { $0.reset(to: new) }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Equatable {
  /// Replaces the sections, matching items by id.
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
  /// Replaces the sections. With `performDiff`, observers receive the differences in one event:
  /// inserted, deleted and moved sections, and the same for the items of sections that stay.
  /// Sections match by header, items by equality. Without `performDiff` observers receive a reset.
  ///
  ///     let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
  ///     library.replace(with: [ListSection("Fiction", ["Emma", "Dune"])], performDiff: true)
  ///
  /// *Complexity*: that of ``ListDifference``.
  @inlinable
  public func replace(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool
  ) {
    replace(with: sections, performDiff: performDiff, isSame: { _, _ in true }) { $0 }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Identifiable & Equatable {
  /// Replaces the sections. With `performDiff`, observers receive the differences in one event:
  /// inserted, deleted and moved sections, and the same for the items of sections that stay. Items
  /// with the same id that are not equal are updates. Without `performDiff` observers receive a
  /// reset.
  ///
  /// *Complexity*: that of ``ListDifference``.
  @inlinable
  public func replace(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool
  ) {
    replace(with: sections, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

extension CollectionProperty
where Base: SectionedBase, Base.Header: Hashable, Base.Item: Identifiable & Hashable {
  /// Replaces the sections. With `performDiff`, observers receive the differences, in which items
  /// with the same id that are not equal are updates. Without it they receive a reset.
  @inlinable
  public func replace(
    with sections: some Sequence<ListSection<Base.Header, Base.Item>>, performDiff: Bool
  ) {
    replace(with: sections, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

// MARK: - Items

extension CollectionProperty where Base: SectionedBase {
  /// The item at a path. Setting it sends an update, even if the new item is equal.
  @inlinable
  public subscript(path: ItemPath) -> Base.Item {
    get { value[path.section].items[path.item] }
    set { live.edit { $0.edit(path.section) { $0.update(path.item, to: newValue) } } }
  }

  /// Appends an item to a section.
  @inlinable
  public func append(_ item: Base.Item, toSection section: Int) {
    live.edit { $0.edit(section) { $0.insert(item, at: $0.elements.count) } }
  }

  /// Appends items to a section.
  @inlinable
  public func append(contentsOf items: some Sequence<Base.Item>, toSection section: Int) {
    let new = SharedArray(items)
    live.edit { $0.edit(section) { $0.insert(contentsOf: new, at: $0.elements.count) } }
  }

  /// Inserts an item before the one at a path.
  @inlinable
  public func insert(_ item: Base.Item, at path: ItemPath) {
    live.edit { $0.edit(path.section) { $0.insert(item, at: path.item) } }
  }

  /// Removes and returns the item at a path.
  @inlinable
  @discardableResult
  public func remove(at path: ItemPath) -> Base.Item {
    live.edit { $0.edit(path.section) { $0.remove(at: path.item) } }
  }

  /// Moves an item. `destination` is its path after the move. A move to another section is reported
  /// as a delete and an insert.
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

  /// Replaces a range of items of a section.
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
