/// The reference of operators that select elements or count them.
extension Timeline {
  func mapped(_ transform: (Int) -> Int) -> Timeline {
    replacing(elements.map { ($0.time, transform($0.value)) })
  }

  func failing(_ isWrong: (Int) -> Bool) -> Timeline {
    Timeline(
      moments.map { moment in
        guard case .next(let value) = moment.what, isWrong(value) else { return moment }
        return Moment(time: moment.time, what: .failed)
      })
  }

  func taking(_ count: Int, _ observedAt: Int) -> Timeline {
    if count == 0 { return Timeline([Moment(time: observedAt, what: .completed)]) }
    guard elements.count >= count else { return self }
    return completing(Array(elements.prefix(count)), at: elements[count - 1].time)
  }

  func taking(while isIncluded: (Int) -> Bool) -> Timeline {
    guard let stop = elements.firstIndex(where: { !isIncluded($0.value) }) else { return self }
    return completing(Array(elements.prefix(stop)), at: elements[stop].time)
  }

  func taking(through isLast: (Int) -> Bool) -> Timeline {
    guard let stop = elements.firstIndex(where: { isLast($0.value) }) else { return self }
    return completing(Array(elements.prefix(stop + 1)), at: elements[stop].time)
  }

  func changed() -> Timeline {
    replacing(
      elements.enumerated().filter { index, element in
        index == 0 || elements[index - 1].value != element.value
      }.map(\.element))
  }

  func distinct() -> Timeline {
    replacing(
      elements.enumerated().filter { index, element in
        !elements.prefix(index).contains { $0.value == element.value }
      }.map(\.element))
  }

  func scanned() -> Timeline {
    replacing(
      elements.indices.map { index in
        (elements[index].time, elements[...index].reduce(0) { $0 &+ $1.value })
      })
  }

  /// Returns, for each element, the sum of the elements so far with the same remainder.
  func scannedInGroups(_ divisor: Int) -> Timeline {
    replacing(
      elements.indices.map { index in
        let group = elements[...index].filter {
          $0.value % divisor == elements[index].value % divisor
        }
        return (elements[index].time, group.reduce(0) { $0 &+ $1.value })
      })
  }

  /// Returns the values grouped by remainder, in order of the remainders' first appearance.
  static func groups(_ values: [Int], _ divisor: Int) -> [[Int]] {
    var groups: [[Int]] = []
    for value in values {
      if let index = groups.firstIndex(where: { $0[0] % divisor == value % divisor }) {
        groups[index].append(value)
      } else {
        groups.append([value])
      }
    }
    return groups
  }

  func pairwise() -> Timeline {
    replacing(
      zip(elements, elements.dropFirst()).map { ($1.time, $1.value &- $0.value) })
  }

  /// Returns the values that are sent at completion, if the timeline completes.
  func atCompletion(_ values: ([Int]) -> [Int]) -> Timeline {
    guard let completion else { return replacing([]) }
    return replacing(values(elements.map(\.value)).map { (completion, $0) })
  }

  func skippingLast(_ count: Int) -> Timeline {
    replacing(zip(elements, elements.dropFirst(count)).map { ($1.time, $0.value) })
  }

  /// Returns the sums of `count` elements at a time.
  func buffered(_ count: Int) -> Timeline {
    var sums: [(time: Int, value: Int)] = []
    for start in stride(from: 0, to: elements.count, by: count) {
      let chunk = elements[start...].prefix(count)
      let time = chunk.count == count ? chunk.last?.time : completion
      if let time { sums.append((time, chunk.reduce(0) { $0 &+ $1.value })) }
    }
    return replacing(sums)
  }

  private func completing(_ elements: [(time: Int, value: Int)], at time: Int) -> Timeline {
    let moments = elements.map { Moment(time: $0.time, what: .next($0.value)) }
    return Timeline(moments + [Moment(time: time, what: .completed)])
  }
}
