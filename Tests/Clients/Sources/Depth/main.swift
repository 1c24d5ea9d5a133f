import Checking
import Glibc
import Runnel

// The promises of `Documentation/Contracts.md` about deep chains and recursion (C9), in a release
// build on a stack of 8 MB.

/// The length of chains and recursions that need no stack: a million with `RUNNEL_CASES`.
let many = getenv("RUNNEL_CASES") == nil ? 200_000 : 1_000_000
/// The number of levels that need some.
let levels = 10_000

typealias Numbers = EventStream<Int, Never>

func chain(_ length: Int, from source: Numbers, _ step: (Numbers) -> Numbers) -> Numbers {
  (0..<length).reduce(source) { chain, _ in step(chain) }
}

final class Token {
  let released: () -> Void
  init(_ released: @escaping () -> Void) { self.released = released }
  deinit { released() }
}

// MARK: - Releases

let steps: [(String, (Numbers) -> Numbers)] = [
  ("map", { $0.map { $0 + 1 } }), ("flatMap", { $0.flatMap { .just($0) } }),
  ("merge", { $0.merge(Numbers.never) }), ("merge, last", { Numbers.never.merge($0) }),
  ("combineLatest", { $0.combineLatest(Numbers.just(0)).map { $0.0 } }),
  ("zip", { Numbers.just(0).zip($0).map { $0.1 } }),
  ("withLatestFrom", { Numbers.just(0).withLatestFrom($0).map { $0.1 } }),
  ("take until", { Numbers.just(0).take(until: $0) }), ("append", { Numbers.completed.append($0) }),
  ("concat", { .concat([$0, .completed]) }), ("amb", { .amb(.never, $0) }),
  ("share", { $0.share() }), ("driver", { $0.driver.stream }),
]
for (name, step) in steps {
  var releases = 0
  do {
    let token = Token { releases += 1 }
    let source = Numbers.deferred { withExtendedLifetime(token) { .just(0) } }
    _ = chain(many, from: source, step)
  }
  check(releases == 1, name)
}

var disposals = 0
var nested = Disposable { disposals += 1 }
for _ in 0..<many {
  let outer = Disposable()
  outer.add(nested)
  nested = outer
}
nested.dispose()
checkEqual(disposals, 1)

for releasesSourceFirst in [true, false] {
  var source: CollectionProperty<[Int]>? = CollectionProperty([1])
  var list = source?.live
  for _ in 0..<many { list = list?.map { $0 } }
  let observation = list?.observe { _ in }
  if releasesSourceFirst { source = nil }
  list = nil
  observation?.dispose()
  source = nil
}

// MARK: - Recursion in tail position

func polls(
  _ count: Int, _ level: @escaping (PushStream<Int>, @escaping () -> Numbers) -> Numbers
) {
  var waiting = PushStream<Int>()
  var stack: Set<UInt> = []
  func poll() -> Numbers {
    var local = 0
    stack.insert(withUnsafePointer(to: &local) { UInt(bitPattern: $0) })
    waiting = PushStream()
    return level(waiting, poll)
  }
  let observation = poll().observeNext { _ in }
  for number in 0..<count {
    let current = waiting
    current.next(number)
    current.completed()
  }
  check(stack.count < 6, "The stack has grown: \(stack.count) depths.")
  observation.dispose()
  check(!waiting.isObserved)
}

polls(many) { source, rest in source.flatMap { _ in rest() } }
polls(many) { source, rest in source.concatMap { _ in rest() } }
polls(many) { source, rest in source.flatMapLatest { _ in rest() } }
polls(many) { source, rest in source.flatMapFirst { _ in rest() } }
polls(many) { source, rest in source.flatMapLatest { Numbers.just($0).append(rest()) } }
polls(many) { source, rest in
  source.flatMap { $0.isMultiple(of: 2) ? rest() : Numbers.just(1).concatMap { _ in rest() } }
}

func counting(_ number: Int, _ rest: @escaping (Int, Numbers) -> Numbers) -> Numbers {
  number == 0 ? .just(0) : rest(number, .deferred { counting(number - 1, rest) })
}

func elements(_ stream: Numbers) -> Int {
  var count = 0
  stream.observeNext { _ in count += 1 }
  return count
}

checkEqual(elements(counting(many) { Numbers.just($0).append($1) }), many + 1)
checkEqual(elements(counting(many) { .concat(.just($0), $1) }), many + 1)

// MARK: - Other recursion, and long chains

let flatteners: [(String, (Int, Numbers) -> Numbers)] = [
  ("flatMap", { number, rest in Numbers.just(number).flatMap { _ in rest } }),
  ("concatMap", { number, rest in Numbers.just(number).concatMap { _ in rest } }),
  ("flatMapLatest", { number, rest in Numbers.just(number).flatMapLatest { _ in rest } }),
  ("flatMapFirst", { number, rest in Numbers.just(number).flatMapFirst { _ in rest } }),
]
for (name, level) in flatteners {
  check(elements(counting(levels, level)) == 1, name)
}
for (name, step) in [
  ("map", { $0.map { $0 + 1 } }), ("share", { $0.share() }),
  ("share, replay", { $0.share(replay: 1) }),
  ("merge", { $0.merge(Numbers.completed) }), ("flatMap", { $0.flatMap { .just($0) } }),
  ("flatMapLatest", { $0.flatMapLatest { .just($0) } }),
  ("combineLatest", { $0.combineLatest(Numbers.just(0)).map { $0.0 } }),
  ("append", { $0.append(.completed) }), ("take", { $0.take(1) }),
] as [(String, (Numbers) -> Numbers)] {
  check(elements(chain(levels, from: .just(0), step)) == 1, name)
}
