/// One step of a change of sections. Indices refer to the sections after the previous steps.
public enum SectionStep<Header, Item> {
  /// Sets the header of a section.
  case header(Int, Header)
  /// Makes a step within the items of a section.
  case items(section: Int, ListStep<Item>)
  /// Removes a range of sections.
  case delete(Range<Int>)
  /// Moves a section. `to` is its index after the move.
  case move(from: Int, to: Int)
  /// Inserts sections. The index is that of the first one after the insertion.
  case insert(Int, [ListSection<Header, Item>])
}

extension SectionStep: Equatable where Header: Equatable, Item: Equatable {}
extension SectionStep: Sendable where Header: Sendable, Item: Sendable {}

extension SectionStep {
  /// Makes the step.
  public func apply<List>(to sections: inout List)
  where
    List: RangeReplaceableCollection & MutableCollection,
    List.Element == ListSection<Header, Item>, List.Index == Int
  {
    switch self {
    case .header(let index, let header):
      sections[index] = ListSection(header: header, items: sections[index].items)
    case .items(let index, let step):
      var items = sections[index].items
      step.apply(to: &items)
      sections[index] = ListSection(header: sections[index].header, items: items)
    case .delete(let range): ListStep.delete(range).apply(to: &sections)
    case .move(let source, let destination):
      ListStep.move(from: source, to: destination).apply(to: &sections)
    case .insert(let index, let new): ListStep.insert(index, new).apply(to: &sections)
    }
  }
}

extension SectionChanges {
  /// The change as steps to make one after the other: headers, changes within sections that stay,
  /// then the changes of the list of sections.
  ///
  ///     let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
  ///     library.observe { event in
  ///       for step in event.changes?.steps ?? [] { show(step) }
  ///     }
  ///
  /// *Complexity*: that of ``ListChanges/steps``.
  public var steps: [SectionStep<Header, Item>] {
    var steps: [SectionStep<Header, Item>] = []
    let isNew = Set(headers)
    for update in list.updatePlaces where isNew.contains(update.from) {
      steps.append(.header(update.from, sections[update.to].header))
    }
    for items in items {
      steps += items.changes.steps.map { .items(section: items.section, $0) }
    }
    for step in list.steps {
      switch step {
      // The headers and items above cover updates.
      case .update: break
      case .delete(let range): steps.append(.delete(range))
      case .move(let source, let destination):
        steps.append(.move(from: source, to: destination))
      case .insert(let index, let sections): steps.append(.insert(index, sections))
      }
    }
    return steps
  }
}
