import RunnelStreams

typealias Numbers = EventStream<Int, Never>

/// Twelve steps in one function, which the compiler can optimise as a whole.
@inline(never)
func fusedChain(_ count: Int) -> Int {
  var sum = 0
  Numbers.sequence(0..<count)
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .observeNext { sum &+= $0 }
  return sum
}

/// The same computation as a loop without streams.
@inline(never)
func handWrittenLoop(_ count: Int) -> Int {
  var sum = 0
  for start in 0..<count {
    var number = start &+ 1
    if number & 1023 == 1023 { continue }
    number = number &+ 1
    if number & 1023 == 1023 { continue }
    number = number &+ 1
    if number & 1023 == 1023 { continue }
    number = number &+ 1
    if number & 1023 == 1023 { continue }
    number = number &+ 1
    if number & 1023 == 1023 { continue }
    number = number &+ 1
    if number & 1023 == 1023 { continue }
    sum &+= number
  }
  return sum
}

@inline(never)
func hiddenMap(_ source: Numbers) -> Numbers { source.map { $0 &+ 1 } }

@inline(never)
func hiddenFilter(_ source: Numbers) -> Numbers { source.filter { $0 & 1023 != 1023 } }

/// Returns a chain of twelve steps that the compiler cannot inline.
func hiddenChain(_ source: Numbers) -> Numbers {
  (1...6).reduce(source) { chain, _ in hiddenFilter(hiddenMap(chain)) }
}
