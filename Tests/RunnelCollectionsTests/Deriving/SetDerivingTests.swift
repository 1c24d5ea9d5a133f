import RunnelCollections
import RunnelTesting
import Testing

@Suite struct SetDerivingTests {
  @Test func filtersMapsAndSortsMembers() {
    let tags = CollectionProperty(Set([5]))
    let even = tags.filter { $0 % 2 == 0 }
    let tens = tags.map { $0 * 10 }
    let sorted = tags.sorted()
    let log = ChangeLog(sorted)
    tags.insert(2)
    tags.insert(4)
    tags.remove(2)
    #expect(even.value == [4] && Array(tens.value) == [50, 40])
    #expect(Array(tags.sorted(by: >).value) == [5, 4])
    #expect(
      log.lines == [
        "+[0] -[] u[] m[] [2, 5]", "+[1] -[] u[] m[] [2, 4, 5]", "+[] -[0] u[] m[] [4, 5]",
      ])
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let numbers = CollectionProperty<Set<Int>>()
    let even = numbers.filter { $0 % 2 == 0 }
    let sorted = numbers.sorted()
    let check = CollectionValidator(even)
    let validators = [ListValidator(sorted), ListValidator(numbers.map { $0 })]
    var edits = RandomKeys(seed: UInt64(seed))
    for number in 0..<500 {
      edits.batch(on: numbers)
      let isRight =
        even.value == SharedSet(numbers.value.filter { $0 % 2 == 0 })
        && Array(sorted.value) == numbers.value.sorted()
      let problems = check.problems + validators.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }
}
