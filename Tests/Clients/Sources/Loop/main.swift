import Checking
import Glibc
import Runnel
import Synchronization

let loop = EventLoop.main

// Lines from a pipe, with the end of the stream.
var ends: [Int32] = [0, 0]
check(pipe(&ends) == 0)
let written = "one\ntwo\nthree"
check(write(ends[1], written, written.utf8.count) == written.utf8.count)
close(ends[1])
let lines = loop.lines(from: ends[0]).toArray()
checkEqual(try loop.run(until: lines), ["one", "two", "three"])
close(ends[0])

// The watchdog names the code that blocks a loop, also in a release build.
@inline(never) func block(on descriptor: Int32) {
  var report = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  // The watchdog interrupts the call.
  while poll(&report, 1, 20_000) < 0 && errno == EINTR {}
}
check(pipe(&ends) == 0)
let (reports, reporter) = (ends[0], ends[1])
let slowTurn = Mutex<SlowTurn?>(nil)
Hooks.slowTurn = { turn in
  // A busy machine may let the thread answer late, and such a report has no stack.
  guard !turn.stack.isEmpty else { return }
  slowTurn.withLock { $0 = turn }
  _ = write(reporter, "x", 1)
}
let watch = loop.reportSlowTurns(after: .milliseconds(10))
loop.execute {
  block(on: reports)
  loop.stop()
}
loop.run()
watch.dispose()
let stack = slowTurn.withLock { $0?.stack } ?? []
check(stack.contains { $0.contains("Loop.block(") }, "\(stack)")

// Another loop, and an actor that lives on it.
actor Counter {
  private let loop: EventLoop
  private let taps = PushStream<Int>()
  private var total = 0

  init(on loop: EventLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func count(_ numbers: [Int]) -> Int {
    check(loop.isCurrent)
    let observation = taps.observeNext { self.total += $0 }
    for number in numbers { taps.next(number) }
    observation.dispose()
    return total
  }
}

let other = EventLoop(name: "other")
let counter = Counter(on: other)
let total = EventStream<Int, Never>.task { await counter.count([1, 2, 3]) }
checkEqual(loop.run(until: total), 6)

// Timers in order.
var order: [Int] = []
let timers = [3, 1, 2].map { number in
  EventStream<Void, Never>.timer(after: .milliseconds(number), on: loop).observeNext {
    order.append(number)
  }
}
loop.run(until: EventStream<Void, Never>.timer(after: .milliseconds(4), on: loop))
checkEqual(order, [1, 2, 3])
check(timers.allSatisfy { $0.isDisposed })

// A child process.
let output = loop.output(of: "/bin/sh", ["-c", "echo hello; exit 3"])
let result = try loop.run(until: output)
checkEqual(result?.text, "hello\n")
checkEqual(result?.status, .exited(3))

// Files, their changes and a folder as a collection. The program runs in an empty folder.
check(mkdir("notes", 0o700) == 0)
let notes = FolderProperty("notes") { name, folder in
  name.ending == ".txt" ? try? folder.file(name).contents() : nil
}
notes.open()
notes.perform(changing: ["Milk.txt"]) { folder throws(FileError) in
  try folder.file("Milk.txt").create(Array("two bottles".utf8))
}
let found = notes.items.observed.count.filter { $0 == 1 }
checkEqual(loop.run(until: found), 1)
check(unlink("notes/Milk.txt") == 0)
let gone = notes.items.observed.count.filter { $0 == 0 }
checkEqual(loop.run(until: gone), 0)
check(rmdir("notes") == 0)

// A service from its setup to its shutdown by a signal.
var steps: [String] = []
let outcome = loop.runUntilTerminated { service in
  steps.append("setup")
  service.onShutdown("first") { steps.append("first") }
  service.onShutdown("second") { steps.append("second") }
  loop.execute { kill(getpid(), SIGTERM) }
}
checkEqual(steps, ["setup", "second", "first"])
checkEqual(outcome.exitCode, 0)
