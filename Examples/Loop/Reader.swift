import Glibc
import Runnel

let log = Log("reader")
let outcome = EventLoop.main.runUntilTerminated { service in
  let bag = DisposeBag()
  let output = try Writer(STDOUT_FILENO, on: .main)
  EventLoop.main.lines(from: STDIN_FILENO)
    .do(failed: { log.error("No input.", ["error": $0]) }, completed: { service.shutDown() })
    .map { "read \($0)\n" }.bind(to: output)
    .disposed(by: bag)
  service.onReload { log.info("Reloading.") }
  service.onShutdown("input") { _ = bag }
}
log.info("\(outcome)")

// Output:
// read a
// read b
