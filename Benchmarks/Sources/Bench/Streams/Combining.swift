import RunnelStreams

private typealias Four = (Int, Int, Int, Int)

/// Measures combining operators with four sources that send in turn.
func measureCombining(_ report: inout Report) {
  let batch = 20_000
  let sum = Sum()
  let add: (Four) -> Void = { sum.add($0.0 &+ $0.1 &+ $0.2 &+ $0.3) }
  let combinations: [(String, Combiner, ([PushStream<Int>]) -> EventStream<Four, Never>)] = [
    (
      "combineLatest", LatestByHand(add),
      { .combineLatest($0[0].stream, $0[1].stream, $0[2].stream, $0[3].stream) }
    ),
    (
      "zip", RowsByHand(add),
      { .zip($0[0].stream, $0[1].stream, $0[2].stream, $0[3].stream) }
    ),
    (
      "withLatestFrom", SampledByHand(add),
      { $0[0].withLatestFrom($0[1].stream, $0[2].stream, $0[3].stream) }
    ),
  ]
  for (name, byHand, combine) in combinations {
    let sources = (0..<4).map { _ in PushStream<Int>() }
    let observation = combine(sources).observeNext(add)
    let (a, b, c, d) = (sources[0], sources[1], sources[2], sources[3])
    func send(_ count: Int) {
      for number in 0..<(count / 4) {
        a.next(number)
        b.next(number)
        c.next(number)
        d.next(number)
      }
    }
    report.ratio(
      "\(name) of 4, an event", per: batch,
      baseline: {
        for number in 0..<(batch / 4) {
          for source in 0..<4 { byHand.take(number, from: source) }
        }
      }, measured: { send(batch) })
    report.allocations("\(name) of 4, an event, allocations", per: 1000) { send(1000) }
    observation.dispose()
  }
  consume(sum.total)
}

// MARK: - Baselines

/// Combines the numbers of four sources by hand, without operators and subscriptions.
private class Combiner {
  let next: (Four) -> Void
  @exclusivity(unchecked) var latest: [Int?] = [nil, nil, nil, nil]

  init(_ next: @escaping (Four) -> Void) { self.next = next }

  func take(_ number: Int, from source: Int) {}

  func sendLatest() {
    guard let a = latest[0], let b = latest[1], let c = latest[2], let d = latest[3] else { return }
    next((a, b, c, d))
  }
}

private final class LatestByHand: Combiner {
  override func take(_ number: Int, from source: Int) {
    latest[source] = number
    sendLatest()
  }
}

private final class SampledByHand: Combiner {
  override func take(_ number: Int, from source: Int) {
    latest[source] = number
    if source == 0 { sendLatest() }
  }
}

private final class RowsByHand: Combiner {
  @exclusivity(unchecked) private var queues: [[Int]] = [[], [], [], []]

  override func take(_ number: Int, from source: Int) {
    queues[source].append(number)
    if queues.contains(where: { $0.isEmpty }) { return }
    next(
      (
        queues[0].removeFirst(), queues[1].removeFirst(), queues[2].removeFirst(),
        queues[3].removeFirst()
      ))
  }
}
