import Glibc
import Runnel

let pool = WorkerPool(name: "disk")
let path = "/etc/passwd"
let size = EventStream.perform(on: pool) {
  let file = open(path, O_RDONLY)
  defer { close(file) }
  return lseek(file, 0, SEEK_END)
}
print(EventLoop.main.run(until: size) ?? 0 > 0)

let name = EventLoop.main.output(of: "uname", ["-s"])
name.observe(succeeded: { print($0.text, terminator: "") }, failed: { print($0) })
try EventLoop.main.run(until: name.stream)

let sorting = try ChildProcess("sort", ["-r"], on: EventLoop.main) { $0.input = .piped }
sorting.standardOutput.observe(next: { print("\($0.count) bytes") }, failed: { print($0) })
_ = sorting.standardInput.write("a\nb\n")
sorting.standardInput.finish()
sorting.exit.observeNext { status in
  print(status)
  EventLoop.main.stop()
}
EventLoop.main.run()

// Output:
// true
// Linux
// 4 bytes
// exited(0)
