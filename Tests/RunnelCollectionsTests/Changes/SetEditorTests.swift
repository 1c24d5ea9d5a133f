import RunnelCollections
import RunnelTesting
import Testing

@Suite struct SetEditorTests {
  @Test func ineffectiveEditsAreNotRecorded() {
    var editor = SetEditor<Int>([1])
    #expect(editor.insert(1) == (false, 1))
    #expect(editor.remove(2) == nil)
    #expect(editor.finish() == nil)
    #expect(editor.insert(2) == (true, 2))
    #expect(editor.remove(1) == 1)
    let changes = editor.finish()
    #expect(changes?.inserts == [2] && changes?.deletes == [1])
    #expect(editor.finish() == nil)
  }

  @Test func oppositeEditsCancelOut() {
    var editor = SetEditor<Int>([1])
    editor.insert(2)
    editor.remove(2)
    editor.remove(1)
    editor.insert(1)
    #expect(editor.finish() == nil)
    #expect(editor.elements == [1])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomBatchesAreSound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var editor = SetEditor<Int>()
    for batch in 0..<500 {
      let comment: Comment = "seed \(seed), batch \(batch)"
      let before = editor.elements
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        let member = Int.random(in: 0..<30, using: &random)
        switch Int.random(in: 0..<60, using: &random) {
        case 0: editor.replace(with: [])
        case 1:
          let count = Int.random(in: 0..<10, using: &random)
          editor.replace(
            with: SharedSet((0..<count).map { _ in Int.random(in: 0..<30, using: &random) }))
        case 2...25: editor.remove(member)
        default: editor.insert(member)
        }
      }
      let changes = editor.finish()
      let (old, new) = (Set(before), Set(editor.elements))
      #expect((changes == nil) == (old == new), comment)
      guard let changes else { continue }
      #expect(Set(changes.inserts) == new.subtracting(old), comment)
      #expect(Set(changes.deletes) == old.subtracting(new), comment)
      var state = before
      changes.apply(to: &state)
      #expect(state == editor.elements, comment)
      changes.inverse.apply(to: &state)
      #expect(state == before, comment)
    }
  }
}
