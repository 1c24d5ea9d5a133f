import RunnelCollections
import RunnelStreams
import Testing

@Suite struct LiveCoreTests {
  /// An earlier observer of the same source event releases the derived collection.
  @Test func collectionReleasedDuringSourceEventIsSilent() {
    let source = CollectionProperty([1, 2, 3])
    var calls = 0
    var derived: LiveCollection<[Int]>?
    source.observe { if $0.changes != nil { derived = nil } }
    derived = source.filter { _ in
      calls += 1
      return true
    }
    #expect(calls == 3)
    source.append(4)
    #expect(derived == nil)
    #expect(calls == 3)
    source.append(5)
    #expect(calls == 3)
  }

  /// The collection's own observer releases it during its event.
  @Test func collectionReleasedByItsObserverEnds() {
    let source = CollectionProperty([1, 2, 3])
    var derived: LiveCollection<[Int]>? = source.sorted()
    var events: [[Int]] = []
    let observations = [Disposable(), Disposable()]
    if let list = derived {
      observations[0].add(
        list.observe {
          events.append(Array($0.collection))
          guard $0.changes != nil else { return }
          derived = nil
          for observation in observations { observation.dispose() }
        })
      observations[1].add(list.observe { events.append($0.collection.map { -$0 }) })
    }
    source.append(0)
    #expect(derived == nil)
    #expect(events == [[1, 2, 3], [-1, -2, -3], [0, 1, 2, 3]])
    #expect(!source.isObserved)
  }

  /// Source and derived collection are released when nothing else retains them.
  @Test func derivedCollectionFormsNoRetainCycle() {
    weak var source: LiveCollection<[Int]>?
    weak var derived: LiveCollection<[Int]>?
    do {
      let property = CollectionProperty([3, 1, 2])
      let last = property.filter { $0 > 1 }.sorted().map { $0 * 2 }
      property.append(4)
      #expect(Array(last) == [4, 6, 8])
      (source, derived) = (property.live, last)
      #expect(source != nil && derived != nil)
    }
    #expect(source == nil)
    #expect(derived == nil)
  }
}
