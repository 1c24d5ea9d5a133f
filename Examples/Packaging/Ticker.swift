import Glibc
import Runnel

let log = Log("ticker")
let outcome = EventLoop.main.runUntilTerminated { service in
  // systemd sets the variable to the folder of StateDirectory=.
  let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "."
  let starts = try SafeFile("\(folder)/starts").update { old in
    Array("\((Int(String(decoding: old, as: UTF8.self)) ?? 0) + 1)".utf8)
  }
  service.report("Start number \(String(decoding: starts, as: UTF8.self))")

  let bag = DisposeBag()
  EventStream<Int, Never>.interval(.seconds(60))
    .observeNext { minutes in log.info("Still there.", ["minutes": minutes]) }
    .disposed(by: bag)
  service.onReload { log.info("The configuration was read again.") }  // systemctl reload
  service.onShutdown("ticks") { _ = bag }  // systemctl stop
}
exit(outcome.exitCode)

// Output:
// STATUS=Start number 1
// READY=1
// RELOADING=1
// READY=1
// STOPPING=1
