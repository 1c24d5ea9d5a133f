import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct LeafCursorTests {
  @Test(arguments: [1, 2, 100, 5_000]) func readsTheElementsOfTheList(_ count: Int) {
    let list = SharedArray((0..<count).map { String($0) })
    var reader = LeafCursor(list)
    var random = SeededGenerator(seed: UInt64(count))
    var index = 0
    for _ in 0..<1_000 {
      let step = random.next() % 8 == 0 ? Int(random.next() % UInt64(count)) : 1
      index = (index + step) % count
      #expect(reader.element(at: index) == String(index), "seed \(count)")
    }
  }

  /// Later changes of the list are not read.
  @Test func readsASnapshotOfTheList() {
    var list = SharedArray(0..<1_000)
    var reader = LeafCursor(list)
    #expect(reader.element(at: 500) == 500)
    list[500] = -1
    list.removeAll()
    #expect(reader.element(at: 500) == 500)
    #expect(reader.element(at: 999) == 999)
  }

  @Test func outOfRangeTraps() async {
    await #expect(processExitsWith: .failure) {
      var reader = LeafCursor(SharedArray<Int>())
      _ = reader.element(at: 0)
    }
    await #expect(processExitsWith: .failure) {
      var reader = LeafCursor(SharedArray(0..<100))
      _ = reader.element(at: 50)
      _ = reader.element(at: 100)
    }
  }
}
