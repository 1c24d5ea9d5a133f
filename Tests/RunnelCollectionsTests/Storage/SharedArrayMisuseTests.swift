import RunnelCollections
import Testing

/// It traps where an array does, and says what was wrong.
@Suite struct SharedArrayMisuseTests {
  private func says(_ message: String, _ result: ExitTest.Result?) -> Bool {
    guard let result else { return false }
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains(message)
  }

  @Test func anIndexPastTheEndIsNamed() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = SharedArray([1, 2, 3])[5]
    }
    #expect(says("Index 5 is out of range of a list of 3 elements.", result))
  }

  @Test func aPlaceForAnInsertionIsNamed() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray([1])
      list.insert(0, at: 3)
    }
    #expect(says("Index 3 is no place for an insertion into a list of 1 element:", result))
  }

  @Test func aRangeIsNamed() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray(0..<300)
      list.removeSubrange(200..<301)
    }
    #expect(says("Range 200..<301 is out of range of a list of 300 elements.", result))
  }

  @Test func noneIsRemovedFromNone() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray<Int>()
      list.removeLast()
    }
    #expect(says("removeLast() needs an element, and the list has none.", result))
  }

  @Test func othersTrapToo() async {
    await #expect(processExitsWith: .failure) { _ = SharedArray([1])[-1] }
    await #expect(processExitsWith: .failure) { _ = SharedArray<Int>()[0] }
    await #expect(processExitsWith: .failure) {
      var list = SharedArray(0..<300)
      list[300] = 0
    }
    await #expect(processExitsWith: .failure) {
      var list = SharedArray(0..<300)
      list.remove(at: 300)
    }
    await #expect(processExitsWith: .failure) {
      var list = SharedArray(0..<300)
      list.insert(contentsOf: [1], at: -1)
    }
    await #expect(processExitsWith: .failure) {
      var list = SharedArray<Int>()
      list.removeFirst()
    }
    await #expect(processExitsWith: .failure) { _ = SharedArray(repeating: 1, count: -1) }
    await #expect(processExitsWith: .failure) { _ = SharedArray(0..<3)[2..<4] }
  }
}
