import RunnelCollections

/// A snapshot of the collection that a bound table shows.
protocol RowSource<Item> {
  associatedtype Item
  var sectionCount: Int { get }
  func title(of section: Int) -> String?
  func items(of section: Int) -> SharedArray<Item>
}

extension RowSource {
  /// The lines of the table: headings and rows.
  var lines: TableLines {
    TableLines((0..<sectionCount).map { (items(of: $0).count, title(of: $0) != nil) })
  }

  func firstRow(where predicate: (Item) -> Bool) -> Int? {
    var start = 0
    for section in 0..<sectionCount {
      let items = items(of: section)
      if let index = items.firstIndex(where: predicate) { return start + index }
      start += items.count
    }
    return nil
  }
}

/// A snapshot of a list, shown as one section without a heading.
struct ListRows<Item>: RowSource {
  let items: SharedArray<Item>
  var sectionCount: Int { 1 }
  func title(of section: Int) -> String? { nil }
  func items(of section: Int) -> SharedArray<Item> { items }
}

/// A snapshot of a sectioned collection, with a heading for each section.
struct SectionRows<Header, Item>: RowSource {
  let sections: SharedArray<ListSection<Header, Item>>
  let title: (Header) -> String
  var sectionCount: Int { sections.count }
  func title(of section: Int) -> String? { title(sections[section].header) }
  func items(of section: Int) -> SharedArray<Item> { sections[section].items }
}
