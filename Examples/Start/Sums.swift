import Glibc
import Runnel

let log = Log("sums")
let worker = EventLoop(name: "worker")
let outcome = EventLoop.main.runUntilTerminated { service in
  let bag = DisposeBag()
  let output = try Writer(STDOUT_FILENO, on: .main)
  EventLoop.main.lines(from: STDIN_FILENO)
    .compactMap { Double($0) }
    .buffer(for: .seconds(10))
    .via(worker) { $0.map { $0.reduce(0, +) } }  // sums on another thread
    .do(failed: { log.error("No input.", ["error": $0]) }, completed: { service.shutDown() })
    .map { "\($0)\n" }.bind(to: output)  // a slow reader pauses the input
    .disposed(by: bag)
  service.onReload { log.info("Nothing to reload.") }  // SIGHUP
  service.onShutdown("input") { _ = bag }  // SIGTERM, Ctrl-C, or the end of the input
}
exit(outcome.exitCode)

// Output:
// 6.5
