import Glibc
import Runnel

let worker = EventLoop(name: "worker")
let words = EventLoop.main.lines(from: STDIN_FILENO)
  .via(worker) { $0.map { line in line.split(separator: " ").count } }
  .reduce(0, +)
let count = try EventLoop.main.run(until: words.stream)
print("\(count ?? 0) words")

// Output:
// 6 words
