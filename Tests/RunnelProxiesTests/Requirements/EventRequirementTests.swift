import RunnelProxies
import RunnelStreams
import Testing

@Proxied
private protocol CounterDelegate: AnyObject {
  func none()
  func one(_ a: Int)
  func pair(_ a: (Int, Int))
  func two(_ a: Int, _ b: Int)
  func three(_ a: Int, _ b: Int, _ c: Int)
  func four(_ a: Int, _ b: Int, _ c: Int, _ d: Int)
}

private final class Counter: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any CounterDelegate)?
  var rDelegate: CounterDelegateProxy { proxy(for: \.delegate) }

  func callAll() {
    delegate?.none()
    delegate?.one(1)
    delegate?.pair((1, 2))
    delegate?.two(1, 2)
    delegate?.three(1, 2, 3)
    delegate?.four(1, 2, 3, 4)
  }
}

@Suite struct EventRequirementTests {
  /// Zero arguments, up to three, and more than three take different code paths.
  @Test func closuresReceiveAnyNumberOfArguments() {
    let counter = Counter()
    let proxy = counter.rDelegate
    var log: [[Int]] = []
    func note(_ stream: EventStream<[Int], Never>) {
      stream.observeNext { log.append($0) }
    }
    note(proxy.stream(\.none) { push in push.next([]) })
    note(proxy.stream(\.one) { push, a in push.next([a]) })
    note(proxy.stream(\.pair) { push, pair in push.next([pair.0, pair.1]) })
    note(proxy.stream(\.two) { push, a, b in push.next([a, b]) })
    note(proxy.stream(\.three) { push, a, b, c in push.next([a, b, c]) })
    note(proxy.stream(\.four) { push, a, b, c, d in push.next([a, b, c, d]) })
    counter.callAll()
    #expect(log == [[], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3, 4]])
  }

  /// The end of a stream need not end the whole observation, but its closure must not run any more.
  @Test func aCompletedStreamReceivesNothing() {
    var counter: Counter? = Counter()
    let proxy = counter?.rDelegate
    var calls = 0
    var log: [Int] = []
    let rest = PushStream<Int>()
    proxy?.stream(\.one) { (push: PushStream<Int>, a) in
      calls += 1
      push.next(a)
    }.flatMap { rest.stream.startWith($0) }.observeNext { log.append($0) }
    counter?.callAll()
    counter = nil
    proxy?.one(2)
    #expect(calls == 1)
    rest.next(3)
    #expect(log == [1, 3])
  }

  /// The last reference to the proxy is released while observers are pending and another call is
  /// queued.
  @Test func theProxyMayBeReleasedDuringACall() {
    var proxy: CounterDelegateProxy? = CounterDelegateProxy()
    weak let held = proxy
    var log: [String] = []
    func listen(_ name: String, _ body: @escaping (Int) -> Void) {
      proxy?.stream(\.one).observe(
        next: {
          log.append("\(name) \($0)")
          body($0)
        }, completed: { log.append("\(name) ends") })
    }
    listen("first") { number in
      if number == 1 { proxy?.one(2) }
      proxy = nil
    }
    listen("second") { _ in }
    proxy?.one(1)
    #expect(log.prefix(4) == ["first 1", "second 1", "first 2", "second 2"])
    #expect(held == nil)
  }

  /// An element that the closure sends after it has disposed the observation is dropped.
  @Test func nothingArrivesAfterDisposalInTheCall() {
    let counter = Counter()
    var log: [Int] = []
    let observation = SerialDisposable()
    observation.current = counter.rDelegate.stream(\.one) { (push: PushStream<Int>, a) in
      push.next(a)
      observation.dispose()
      push.next(a)
    }.map { $0 }.observeNext { log.append($0) }
    counter.callAll()
    counter.callAll()
    #expect(log == [1])
  }
}
