import Glibc
import Runnel
import RunnelLoop
import RunnelStreams
import RunnelTerminal

@MainActor let loopScenarios = [
  Scenario(name: "bag of observations of a loop", hits: 200, spread: 50_000) {
    let bag = DisposeBag()
    let loop = EventLoop.main
    loop.signals(.user1).observeNext { _ in }.disposed(by: bag)
    loop.changes(at: "/tmp").observe(next: { _ in }, failed: { _ in }).disposed(by: bag)
    loop.schedule(after: .zero) {}.disposed(by: bag)
    EventStream<Int, Never>.interval(.milliseconds(1)).observeNext { _ in }.disposed(by: bag)
    return Round(releasing: bag) { loop.run(for: .zero) }
  },
  Scenario(name: "source of via, the observation is disposed") {
    let source = PushStream<Int>()
    let observation = source.via(worker) { $0.map { $0 + 1 } }.observeNext { _ in }
    source.next(1)
    return Round(releasing: source) { observation.dispose() }
  },
  Scenario(name: "worker loop, it is stopped", hits: 100) {
    let loop = EventLoop(name: "short")
    return Round(releasing: loop) { [weak loop] in loop?.stop() }
  },
  Scenario(name: "pool, its work is disposed", hits: 100) {
    let pool = WorkerPool(size: 1)
    let observation = EventStream<Int, Never>.perform(on: pool) { 1 }.observeNext { _ in }
    return Round(releasing: pool) { observation.dispose() }
  },
  Scenario(name: "files of a folder, they are read", hits: 100, spread: 50_000) {
    let files = FolderProperty("/tmp/\(folderName)") { _, _ in 1 }
    files.open()
    return Round(releasing: files) { EventLoop.main.run(for: .milliseconds(1)) }
  },
  Scenario(name: "child, its input is waiting", hits: 50, spread: 50_000) {
    let child = try ChildProcess("cat", on: .main) { options in
      options.input = .piped
      options.output = .discarded
    }
    _ = child.standardInput.write([UInt8](repeating: 65, count: 1 << 17))
    child.standardInput.drained.observe(failed: { _ in }, completed: { mustBeMain() })
    return Round(releasing: child) { EventLoop.main.run(for: .milliseconds(1)) }
  },
  Scenario(name: "terminal, it is drawn", hits: 20, spread: 50_000) {
    let (master, path) = openPseudoTerminal()
    let terminal = try Terminal(path: path, on: .main)
    var hasEnded = false
    terminal.events.observe(completed: {
      mustBeMain()
      hasEnded = true
    })
    let large = [UInt8](repeating: 65, count: 1 << 16)
    terminal.copy(String(decoding: large, as: UTF8.self))
    return Round(releasing: terminal) {
      // The terminal accepts the bytes in pieces until it is closed.
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      while !hasEnded {
        _ = read(master, &buffer, buffer.count)
        EventLoop.main.run(for: .zero)
      }
      close(master)
    }
  },
]

private let worker = EventLoop(name: "worker")
private let folderName = "runnel-release-\(getpid())"

private func mustBeMain() {
  precondition(
    EventLoop.main.isCurrent, "An observer of the main thread was called on another thread.")
}

/// Opens a pseudo terminal with `TIOCSPTLCK` and `TIOCGPTN`, which are macros and not imported.
private func openPseudoTerminal() -> (master: Int32, path: String) {
  let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
  var (isLocked, number): (Int32, Int32) = (0, 0)
  precondition(ioctl(master, 0x4004_5431, &isLocked) == 0, "This system has no pseudo terminals.")
  precondition(ioctl(master, 0x8004_5430, &number) == 0, "This system has no pseudo terminals.")
  return (master, "/dev/pts/\(number)")
}
