import RunnelCollections
import Testing

/// Misuse traps as for an array, with a message that describes the mistake.
@Suite struct SharedArrayMisuseTests {
  private func says(_ message: String, _ result: ExitTest.Result?) -> Bool {
    guard let result else { return false }
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains(message)
  }

  @Test func indexPastTheEndTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = SharedArray([1, 2, 3])[5]
    }
    #expect(says("Index 5 is out of range of a list of 3 elements.", result))
  }

  @Test func insertionIndexOutOfRangeTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray([1])
      list.insert(0, at: 3)
    }
    #expect(says("Cannot insert at index 3 into a list of 1 element.", result))
  }

  @Test func rangeOutOfBoundsTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray(0..<300)
      list.removeSubrange(200..<301)
    }
    #expect(says("Range 200..<301 is out of range of a list of 300 elements.", result))
  }

  @Test func removingFromAnEmptyListTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray<Int>()
      list.removeLast()
    }
    #expect(says("removeLast() was called on an empty list.", result))
  }

  @Test func insertionBeyondTheLimitTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = SharedArray<UInt8>.longest(ending: 7)
      precondition(list.count == 2_147_483_646 && list[2_147_483_645] == 7)
      list.remove(at: 1_500_000_000)
      list.insert(8, at: 1_800_000_000)
      precondition(list[1_800_000_000] == 8 && list[2_147_483_645] == 7)
      list.append(9)
    }
    #expect(says("cannot have 2147483647 elements: the limit is 2147483646.", result))
  }

  @Test func joiningBeyondTheLimitTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let list = SharedArray<UInt8>.longest(ending: 7)
      _ = list + SharedArray(repeating: 0, count: 1_000)
    }
    #expect(says("cannot have 2147484646 elements: the limit is 2147483646.", result))
  }

  @Test func repeatingBeyondTheLimitTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = SharedArray<UInt8>(repeating: 0, count: 1 << 31)
    }
    #expect(says("cannot have 2147483648 elements: the limit is 2147483646.", result))
  }

  @Test func otherMisuseTraps() async {
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

extension SharedArray<UInt8> {
  /// A list of the maximum count. Most of its nodes are shared, so it takes little memory.
  fileprivate static func longest(ending last: UInt8) -> SharedArray {
    var block = SharedArray(repeating: 0, count: 1 << 20)
    for _ in 0..<10 { block.append(contentsOf: block) }
    var list = block.part(0..<block.count - 3)
    list.append(last)
    return block + list
  }
}
