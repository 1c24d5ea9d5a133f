import Glibc
import Runnel

let log = Log("meter")
let worker = EventLoop(name: "worker")
let outcome = EventLoop.main.runUntilTerminated { service in
  let loop = EventLoop.main
  let bag = DisposeBag()
  loop.changes(at: ".", recursively: true)
    .debounce(for: .milliseconds(200))
    .observe(
      next: { _ in log.info("The configuration has changed.") },
      failed: { log.error("The folder is not watched.", ["error": $0]) }
    )
    .disposed(by: bag)
  let output = try Writer(STDOUT_FILENO, on: loop)
  loop.lines(from: STDIN_FILENO)
    .compactMap { Double($0) }
    .buffer(for: .seconds(10))
    .via(worker) { $0.map { $0.reduce(0, +) } }
    .do(failed: { log.error("No input.", ["error": $0]) }, completed: { service.shutDown() })
    .map { "\($0)\n" }.bind(to: output)
    .disposed(by: bag)
  service.onReload { log.info("Reloading.") }
  service.onShutdown("meter") { _ = bag }
}
exit(outcome.exitCode)

// Output:
// 6.5
