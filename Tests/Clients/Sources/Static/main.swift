import Checking
import Runnel

// A program without any shared library: a proxy, a timer and a worker thread.
@Proxied
@MainActor
protocol DoorDelegate: AnyObject {
  func doorDidOpen(_ count: Int)
}

let loop = EventLoop.main
let proxy = DoorDelegateProxy()
var counts: [Int] = []
proxy.stream(\.doorDidOpen).observeNext { counts.append($0) }
let timer = loop.schedule(after: .milliseconds(1)) {
  MainActor.assumeIsolated { proxy.doorDidOpen(2) }
}
checkEqual(
  loop.run(until: EventStream.timer(after: .milliseconds(2), on: loop).map { _ in "rang" }),
  "rang")
checkEqual(counts, [2])
let pool = WorkerPool(name: "workers")
checkEqual(loop.run(until: EventStream.perform(on: pool) { 6 * 7 }), 42)
