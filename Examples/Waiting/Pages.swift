import Runnel

let worker = EventLoop(name: "worker")
var page = 0
let numbers = EventStream<Int, Never>.pulled {
  page += 1  // the next page is made when the worker has room for it
  return page > 1_000 ? nil : .sequence(page * 100..<page * 100 + 100)
}
let sum =
  numbers
  .via(worker) { $0.map { $0 * 2 } }
  .reduce(0, +)
print(EventLoop.main.run(until: sum.stream) ?? 0)

// Output:
// 10019900000
