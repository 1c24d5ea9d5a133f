import Runnel

let worker = EventLoop(name: "worker")
let backlog = Backlog(elements: 2)
let results = PushStream<Int>()
EventStream<Int, Never>.sequence(1...1_000)
  .via(worker, buffering: .newest(2), backlog: backlog) { $0.map { $0 * 10 } }
  .filter { $0 == 10_000 }
  .bind(to: results)
print(EventLoop.main.run(until: results) ?? 0)

// Output:
// 10000
