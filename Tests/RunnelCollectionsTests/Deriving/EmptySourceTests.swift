import Testing

@testable import RunnelCollections
@testable import RunnelStreams

/// Followers whose source becomes empty discard their tables.
@Suite struct EmptySourceTests {
  /// Removes all elements of a list of 1,000, one by one or at once, while a follower follows it.
  /// Then it inserts some again.
  private func empty<Follower: ListFollower>(
    _ make: (CollectionProperty<[Int]>) -> Follower, keeps count: (Follower) -> Int
  ) where Follower.Element == Int {
    let edits: [(String, (CollectionProperty<[Int]>) -> Void)] = [
      ("all at once", { $0.removeAll() }),
      ("one by one", { list in while !list.isEmpty { list.removeLast() } }),
      ("in a batch", { list in list.batch { while !list.isEmpty { list.remove(at: 0) } } }),
    ]
    for (name, edit) in edits {
      let list = CollectionProperty(Array(0..<1_000))
      let follower = make(list)
      list.observe { event in
        if let changes = event.changes { follower.follow(changes) }
        var editor = follower.output
        editor.forget()
      }
      list.move(from: 0, to: 999)
      #expect(count(follower) >= 500, "before \(name)")
      edit(list)
      #expect(count(follower) == 0, "\(name)")
      list.append(contentsOf: [3, 1, 2])
      #expect(1...3 ~= count(follower), "after \(name)")
    }
  }

  @Test func sortedDiscardsTables() {
    empty(
      { list in SortedList(SortedList.sortedItems(of: list.value, by: <), <) },
      keeps: { max(Int($0.pool.count), $0.source.count, $0.ranks.count) })
  }

  /// Inserted elements reuse the handles of elements that the same change removed.
  @Test func sortedReusesHandlesOfRemovedElements() {
    let list = CollectionProperty(Array(0..<1_000))
    let sorting = SortedList(SortedList.sortedItems(of: list.value, by: <), <)
    list.observe { if let changes = $0.changes { sorting.follow(changes) } }
    list.replaceSubrange(0..., with: 500..<700)
    #expect(sorting.pool.count == 1_000 && Array(sorting.output.elements) == Array(500..<700))
    list.replaceSubrange(100..., with: 100..<200)
    #expect(sorting.pool.count == 1_000)
    #expect(Array(sorting.output.elements) == Array(100..<200) + Array(500..<600))
  }

  @Test func distinctDiscardsTables() {
    empty(
      { DistinctList($0.value) { $0 } },
      keeps: { max(Int($0.handles.pool.count), $0.handles.numbers.count, $0.shown.count) })
  }

  @Test func joinedDiscardsTables() {
    empty(
      { list in
        let joined = JoinedList<Int, Int, Int, Int>(JoinedPairs(), { $0 }, isRight: false) {
          ($0, nil)
        }
        joined.reset(to: list.value)
        return joined
      }, keeps: { max(Int($0.pairs.handles.pool.count), $0.pairs.elements.count) })
  }

  @Test func groupedDiscardsTables() {
    empty(
      { GroupedList($0.value) { $0 } },
      keeps: { max(Int($0.handles.pool.count), $0.handles.groups.count, $0.sections.count) })
  }

  @Test func sectionedDiscardsTables() {
    empty(
      { SectionedList($0.value, { $0 }, <) },
      keeps: {
        max(Int($0.handles.pool.count), $0.handles.groups.count, $0.handles.keys.entries.count)
      })
  }

  @Test func filterWhereLatestDiscardsTables() {
    let list = CollectionProperty(Array(0..<1_000))
    let watching = WatchedList<Int> { _ in Property(true).stream }
    list.observe { watching.take($0) }
    #expect(watching.watches.count == 1_000)
    list.removeAll()
    #expect(watching.watches.isEmpty && watching.pool.count == 0)
    list.append(contentsOf: [3, 1, 2])
    #expect(watching.watches.count == 3 && Array(watching.output.elements) == [3, 1, 2])
    watching.take(CollectionEvent<[Int]>(list.value, .reset))
    #expect(watching.watches.count == 3)
    watching.end()
  }

  @Test func flattenedDiscardsTables() {
    let inners = (0..<1_000).map { CollectionProperty([$0]) }
    let lists = CollectionProperty(inners)
    let flattening = ListFlattener(lists.value)
    lists.observe { if let changes = $0.changes { flattening.follow(changes) } }
    #expect(flattening.holders.count == 1_000)
    lists.removeAll()
    #expect(flattening.holders.isEmpty && flattening.pool.count == 0)
    lists.append(contentsOf: inners[..<3])
    #expect(flattening.holders.count == 3 && Array(flattening.output.elements) == [0, 1, 2])
  }

  @Test func entriesDiscardTables() {
    let roster = InsertionOrderedList<Int, Int>()
    for key in 0..<1_000 { roster.set(key, to: -key) }
    #expect(roster.keys.entries.count == 1_000)
    for key in 0..<1_000 { roster.set(key, to: nil) }
    #expect(roster.keys.entries.isEmpty && roster.keys.slots.count == 2)
    for key in 5..<8 { roster.set(key, to: -key) }
    #expect(Array(roster.output.elements) == [-5, -6, -7])
  }
}
