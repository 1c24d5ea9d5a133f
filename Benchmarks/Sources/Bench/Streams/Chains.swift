import RunnelStreams

typealias Numbers = EventStream<Int, Never>

// The steps, because the arithmetic of closures would take the compiler longer than the chain.
extension Int {
  fileprivate var next: Int { self &+ 1 }
  fileprivate var isKept: Bool { self & 1023 != 1023 }
}

/// Twelve steps in one function, which the compiler can optimise as a whole.
@inline(never)
func fusedChain(_ count: Int) -> Int {
  var sum = 0
  Numbers.sequence(0..<count)
    .map { $0.next }.filter { $0.isKept }
    .map { $0.next }.filter { $0.isKept }
    .map { $0.next }.filter { $0.isKept }
    .map { $0.next }.filter { $0.isKept }
    .map { $0.next }.filter { $0.isKept }
    .map { $0.next }.filter { $0.isKept }
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

// MARK: - Baselines

typealias Callback = (Int) -> Void

@inline(never)
func hiddenMapCall(_ next: @escaping Callback) -> Callback { { next($0 &+ 1) } }

@inline(never)
func hiddenFilterCall(_ next: @escaping Callback) -> Callback {
  { if $0 & 1023 != 1023 { next($0) } }
}

/// Returns twelve closures that call each other, with the work of ``hiddenChain(_:)``.
func hiddenCalls(_ last: @escaping Callback) -> Callback {
  (1...6).reduce(last) { next, _ in hiddenMapCall(hiddenFilterCall(next)) }
}

/// Closures that are called by hand, without subscriptions that can end.
final class Callbacks<Element> {
  @exclusivity(unchecked) var calls: [(Element) -> Void] = []

  @inline(never)
  func send(_ element: Element) { for call in calls { call(element) } }
}
