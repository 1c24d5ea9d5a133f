import CAllocations
import RunnelStreams

@inline(never) func blackHole<T>(_ x: T) { withExtendedLifetime(x) {} }
typealias S = EventStream<Int, Never>
@inline(never) func h1(_ s: S) -> S { s.map { $0 &+ 1 } }
@inline(never) func h2(_ s: S) -> S { s.filter { $0 & 1023 != 1023 } }
func hidden(_ s: S) -> S { h2(h1(h2(h1(h2(h1(h2(h1(h2(h1(h2(h1(s)))))))))))) }
let clock = ContinuousClock()
func time(_ name: String, _ n: Int, _ body: () -> Void) {
  var best = Duration.seconds(1000)
  for _ in 0..<7 {
    let d = clock.measure(body)
    best = min(best, d)
  }
  let ns =
    Double(best.components.attoseconds) / 1e9 / Double(n) + Double(best.components.seconds) * 1e9
    / Double(n)
  print(name, ns, "ns")
}
@inline(never) func hand(_ n: Int) -> Int {
  var sum = 0
  for i in 0..<n {
    var x = i
    x = x &+ 1
    if x & 1023 == 1023 { continue }
    x = x &+ 1
    if x & 1023 == 1023 { continue }
    x = x &+ 1
    if x & 1023 == 1023 { continue }
    x = x &+ 1
    if x & 1023 == 1023 { continue }
    x = x &+ 1
    if x & 1023 == 1023 { continue }
    x = x &+ 1
    if x & 1023 == 1023 { continue }
    sum &+= x
  }
  return sum
}
@inline(never) func fused(_ n: Int) -> Int {
  var sum = 0
  S.sequence(0..<n)
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .map { $0 &+ 1 }.filter { $0 & 1023 != 1023 }
    .observeNext { sum &+= $0 }
  return sum
}
let n = 1_000_000
time("hand", n) { blackHole(hand(n)) }
time("fused", n) { blackHole(fused(n)) }
time("hidden seq", n) {
  var sum = 0
  hidden(.sequence(0..<n)).observeNext { sum &+= $0 }
  blackHole(sum)
}
let push = PushStream<Int>()
var total = 0
let d = hidden(push.stream).observeNext { total &+= $0 }
time("hidden push", n) { for i in 0..<n { push.next(i) } }
d.dispose()
let st = hidden(push.stream)
time("observe+dispose hidden", 100_000) {
  for _ in 0..<100_000 { st.observeNext { _ in }.dispose() }
}
let before = allocations_count()
let dd = st.observeNext { _ in }
print("allocs", allocations_count() - before)
dd.dispose()
let p1 = PushStream<Int>()
p1.observeNext { total &+= $0 }
time("push 1", n) { for i in 0..<n { p1.next(i) } }
let p100 = PushStream<Int>()
for _ in 0..<100 { p100.observeNext { total &+= $0 } }
time("push 100", n) { for i in 0..<n / 100 { p100.next(i) } }
do {
  let s1 = push.stream
  func count(_ name: String, _ f: () -> Disposable) {
    let b = allocations_count()
    let d = f()
    print(name, allocations_count() - b)
    d.dispose()
  }
  count("bare") { s1.observeNext { _ in } }
  let s2 = h1(push.stream)
  count("h1") { s2.observeNext { _ in } }
  let s3 = h2(push.stream)
  count("h2") { s3.observeNext { _ in } }
  let s4 = h2(h1(h2(h1(push.stream))))
  count("h2h1h2h1") { s4.observeNext { _ in } }
}
