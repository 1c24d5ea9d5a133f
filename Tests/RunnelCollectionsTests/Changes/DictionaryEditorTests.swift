import RunnelCollections
import RunnelTesting
import Testing

@Suite struct DictionaryEditorTests {
  private typealias Changes = DictionaryChanges<String, Int>

  private func changes(
    of before: SharedDictionary<String, Int>, _ edits: [Int?]
  ) -> Changes? {
    var editor = DictionaryEditor(before)
    for value in edits { editor.set("key", to: value) }
    return editor.finish()
  }

  private let absent: SharedDictionary<String, Int> = [:]
  private let present: SharedDictionary<String, Int> = ["key": 1]

  @Test func insertThenDeleteCancelsOut() {
    #expect(changes(of: absent, [5, nil]) == nil)
    #expect(changes(of: absent, [5, 6, nil]) == nil)
  }

  @Test func insertThenUpdateIsAnInsert() {
    let changes = changes(of: absent, [5, 6])
    #expect(changes?.inserts == ["key": 6])
    #expect(changes?.updates == [:] && changes?.deletes == [:])
  }

  @Test func repeatedUpdatesKeepFirstOldValue() {
    let changes = changes(of: present, [5, 6])
    #expect(changes?.updates == ["key": Changes.Update(old: 1, new: 6)])
    #expect(changes?.inserts == [:] && changes?.deletes == [:])
  }

  @Test func updateThenDeleteReportsFirstOldValue() {
    let changes = changes(of: present, [5, nil])
    #expect(changes?.deletes == ["key": 1])
    #expect(changes?.inserts == [:] && changes?.updates == [:])
  }

  @Test func deleteThenInsertIsAnUpdate() {
    for edits in [[nil, 6], [5, nil, 6], [nil, 5, 6], [nil, 5, nil, 6]] as [[Int?]] {
      let changes = changes(of: present, edits)
      #expect(changes?.updates == ["key": Changes.Update(old: 1, new: 6)])
      #expect(changes?.inserts == [:] && changes?.deletes == [:])
    }
  }

  @Test func settingAnEqualValueIsAnUpdate() {
    #expect(changes(of: present, [1])?.updates == ["key": Changes.Update(old: 1, new: 1)])
  }

  @Test func removingAMissingKeyIsNoChange() {
    #expect(changes(of: absent, [nil]) == nil)
    #expect(changes(of: present, [nil, nil])?.deletes == ["key": 1])
  }

  @Test func finishStartsWithNoChanges() {
    var editor = DictionaryEditor<String, Int>()
    editor.set("key", to: 1)
    #expect(editor.finish()?.inserts == ["key": 1])
    #expect(editor.finish() == nil)
    #expect(editor.set("key", to: 2)?.value == 1)
    #expect(editor.finish()?.updates == ["key": Changes.Update(old: 1, new: 2)])
    #expect(editor.set("key", to: nil)?.value == 2)
    #expect(editor.finish()?.deletes == ["key": 2])
  }

  @Test func replacingUpdatesDifferingValuesOnly() {
    let new: SharedDictionary = ["b": 2, "c": 4, "d": 5]
    let changes = Changes(from: ["a": 1, "b": 2, "c": 3], to: new, isSame: ==)
    #expect(changes.deletes == ["a": 1])
    #expect(changes.updates == ["c": Changes.Update(old: 3, new: 4)])
    #expect(changes.inserts == ["d": 5])
    var editor = DictionaryEditor<String, Int>(["a": 1, "b": 2, "c": 3])
    editor.apply(changes)
    #expect(editor.elements == new && editor.finish() == changes)
  }

  /// Every batch of up to four edits on one key, which is present or absent at first.
  @Test func allShortBatches() {
    let values: [Int?] = [nil, 1, 2]
    var batches: [[Int?]] = [[]]
    for _ in 0..<4 {
      batches += batches.flatMap { batch in values.map { batch + [$0] } }
    }
    for before in [absent, present] {
      for batch in batches {
        var editor = DictionaryEditor(before)
        for value in batch { editor.set("key", to: value) }
        expectSound(editor.finish(), before, editor.elements, "\(batch)")
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomBatchesAreSound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var editor = DictionaryEditor<Int, Int>()
    for batch in 0..<500 {
      let before = editor.elements
      var touched: Set<Int> = []
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        let key = Int.random(in: 0..<30, using: &random)
        switch Int.random(in: 0..<60, using: &random) {
        case 0:
          touched.formUnion(editor.elements.keys)
          editor.removeAll()
        case 1...25:
          editor.set(key, to: nil)
          touched.insert(key)
        default:
          editor.set(key, to: Int.random(in: 0..<5, using: &random))
          touched.insert(key)
        }
      }
      let changes = editor.finish()
      expectSound(changes, before, editor.elements, "seed \(seed), batch \(batch)")
      // A key that exists before and after has an update if it was edited.
      let both = touched.filter { before.contains(key: $0) && editor.elements.contains(key: $0) }
      #expect(Set(changes?.updates.keys.map { $0 } ?? []) == both, "seed \(seed), batch \(batch)")
    }
  }

  private func expectSound<Key>(
    _ changes: DictionaryChanges<Key, Int>?, _ before: SharedDictionary<Key, Int>,
    _ after: SharedDictionary<Key, Int>, _ comment: Comment
  ) {
    guard let changes else {
      #expect(before == after, comment)
      return
    }
    #expect(!changes.isEmpty, comment)
    let inserts = after.filter { !before.contains(key: $0.key) }
    let deletes = before.filter { !after.contains(key: $0.key) }
    #expect(changes.inserts == SharedDictionary(uniqueKeysWithValues: inserts), comment)
    #expect(changes.deletes == SharedDictionary(uniqueKeysWithValues: deletes), comment)
    for (key, value) in after {
      guard let old = before[key] else { continue }
      let update = changes.updates[key]
      #expect(update == nil ? old == value : update?.old == old && update?.new == value, comment)
    }
    #expect(changes.updates.keys.allSatisfy { before[$0] != nil && after[$0] != nil }, comment)
    var state = before
    changes.apply(to: &state)
    #expect(state == after, comment)
    changes.inverse.apply(to: &state)
    #expect(state == before, comment)
    #expect(changes.inverse.inverse == changes, comment)
  }
}
