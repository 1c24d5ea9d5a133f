import RunnelStreams

/// Measures combining operators with four sources that send in turn.
func measureCombining(_ report: inout Report) {
  let batch = 20_000
  let sum = Sum()
  let combinations: [(String, ([PushStream<Int>]) -> EventStream<(Int, Int, Int, Int), Never>)] = [
    ("combineLatest", { .combineLatest($0[0].stream, $0[1].stream, $0[2].stream, $0[3].stream) }),
    ("zip", { .zip($0[0].stream, $0[1].stream, $0[2].stream, $0[3].stream) }),
    ("withLatestFrom", { $0[0].withLatestFrom($0[1].stream, $0[2].stream, $0[3].stream) }),
  ]
  for (name, combine) in combinations {
    let sources = (0..<4).map { _ in PushStream<Int>() }
    let observation = combine(sources).observeNext { sum.add($0.0 &+ $0.1 &+ $0.2 &+ $0.3) }
    let (a, b, c, d) = (sources[0], sources[1], sources[2], sources[3])
    func send(_ count: Int) {
      for number in 0..<(count / 4) {
        a.next(number)
        b.next(number)
        c.next(number)
        d.next(number)
      }
    }
    report.time("\(name) of 4, an event", per: batch) { send(batch) }
    report.allocations("\(name) of 4, an event, allocations", per: 1000) { send(1000) }
    observation.dispose()
  }
  consume(sum.total)
}
