import Runnel

private final class List: ProxyHost {
  let proxies = ProxyStore()
  @exclusivity(unchecked) weak var delegate: (any ListDelegate)?

  @inline(never)
  func select(_ row: Int) {
    delegate?.list(self, didSelect: row)
  }

  @inline(never)
  func maySelect(_ row: Int) -> Bool {
    delegate?.list(self, shouldSelect: row) ?? true
  }
}

@Proxied
private protocol ListDelegate: AnyObject {
  func list(_ list: List, didSelect row: Int)
  func list(_ list: List, shouldSelect row: Int) -> Bool
}

/// A delegate without a proxy.
private final class Controller: ListDelegate {
  @exclusivity(unchecked) var sum = 0

  func list(_ list: List, didSelect row: Int) { sum += row }
  func list(_ list: List, shouldSelect row: Int) -> Bool { row >= 0 }
}

/// Measures a list's calls to its delegate, directly and through a proxy.
func measureProxies(_ report: inout Report) {
  let count = 100_000
  let controller = Controller()
  let sum = Sum()
  func select(_ list: List) {
    for row in 0..<count { list.select(row) }
  }
  func maySelect(_ list: List) {
    for row in 0..<count { sum.add(list.maySelect(row) ? 1 : 0) }
  }
  let direct = List()
  direct.delegate = controller

  let quiet = List()
  quiet.delegate = controller
  var proxy: ListDelegateProxy { quiet.proxy(for: \.delegate) }
  _ = proxy
  report.ratio(
    "no stream or handler, forwardTo set", per: count, baseline: { select(direct) },
    measured: { select(quiet) })

  let previous = controller.sum
  let heard = List()
  let listening: ListDelegateProxy = heard.proxy(for: \.delegate)
  listening.stream(\.list_didSelect) { (push: PushStream<Int>, _, row) in push.next(row) }
    .observeNext { sum.add($0) }
  // The optimizer once assumed that the controller was the only conforming class, and called it for
  // the proxy.
  heard.select(1)
  precondition(sum.total == 1 && controller.sum == previous, "The call went to the controller.")
  report.ratio(
    "one stream", per: count, baseline: { select(direct) },
    measured: { select(heard) })
  report.allocations("one stream, allocations", per: count) { select(heard) }

  let asked = List()
  let answering: ListDelegateProxy = asked.proxy(for: \.delegate)
  answering.answer(\.list_shouldSelect) { _, row in row >= 0 }
  report.ratio(
    "a handler answers", per: count, baseline: { maySelect(direct) },
    measured: { maySelect(asked) })
  report.allocations("a handler answers, allocations", per: count) { maySelect(asked) }
}
