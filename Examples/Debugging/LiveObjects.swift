import Glibc
import Runnel

Resources.startTracking()  // at the beginning of the program

let outcome = EventLoop.main.runUntilTerminated { service in
  let texts = PushStream<String>()
  let bag = DisposeBag()
  for _ in 1...3 { texts.observeNext { print($0) }.disposed(by: bag) }

  // kill -USR1 PID prints the places with the most live objects.
  EventLoop.main.signals(.user1).observeNext { _ in
    let counts = Dictionary(grouping: Resources.shared.names) { $0 }.mapValues(\.count)
    for (name, count) in counts.sorted(by: { $0.value > $1.value }).prefix(1) {
      print(count, name)
    }
    service.shutDown()  // a real service goes on
  }
  .disposed(by: bag)
  service.onShutdown("texts") { _ = bag }
  kill(getpid(), SIGUSR1)
}
exit(outcome.exitCode)

// Output:
// 3 EventStream<String, Never> at LiveObjects/LiveObjects.swift:9
