import Runnel
import RunnelTesting

let worker = ThreadContext()
let home = ManualContext()
var seen: [Int] = []
_ = home.use {
  EventStream<Int, Never>.sequence(1...4)
    .via(worker) { $0.map { $0 * $0 } }
    .observeNext { seen.append($0) }
}
home.run(until: { seen.count == 4 })
print(seen)

// Output:
// [1, 4, 9, 16]
