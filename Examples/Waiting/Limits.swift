import Glibc
import Runnel

let worker = EventLoop(name: "worker")
let backlog = Backlog(elements: 100)
EventStream<Int, Never>.interval(.seconds(1)).observeNext { _ in
  Log("words").info("\(backlog.waitingCount) lines wait")
}
let lengths = EventLoop.main.lines(from: STDIN_FILENO)
  .via(worker, backlog: backlog) { $0.map { $0.count } }
  .toArray()
print(try EventLoop.main.run(until: lengths.stream) ?? [])

// Output:
// [11, 17]
