import RunnelCollections

/// What a table that is bound to a collection shows, at one time.
protocol RowSource<Item> {
  associatedtype Item
  var sectionCount: Int { get }
  func title(of section: Int) -> String?
  func items(of section: Int) -> SharedArray<Item>
}

extension RowSource {
  /// The lines that it comes to.
  var lines: TableLines {
    TableLines((0..<sectionCount).map { (items(of: $0).count, title(of: $0) != nil) })
  }

  func firstRow(where isIt: (Item) -> Bool) -> Int? {
    var start = 0
    for section in 0..<sectionCount {
      let items = items(of: section)
      if let index = items.firstIndex(where: isIt) { return start + index }
      start += items.count
    }
    return nil
  }
}

/// The items of a list.
struct ListRows<Item>: RowSource {
  let items: SharedArray<Item>
  var sectionCount: Int { 1 }
  func title(of section: Int) -> String? { nil }
  func items(of section: Int) -> SharedArray<Item> { items }
}

/// The items of sections.
struct SectionRows<Header, Item>: RowSource {
  let sections: SharedArray<ListSection<Header, Item>>
  let title: (Header) -> String
  var sectionCount: Int { sections.count }
  func title(of section: Int) -> String? { title(sections[section].header) }
  func items(of section: Int) -> SharedArray<Item> { sections[section].items }
}
