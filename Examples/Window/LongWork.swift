import Glibc
import Runnel
import RunnelDesk
import RunnelGTK

/// Blocks its thread, as work on a file would.
@Sendable func convert(_ number: Int) -> Int {
  usleep(5_000)
  return number
}

@MainActor
final class Conversion {
  let start = Button("Start")
  let stop = Button("Stop")
  let progress = ProgressBar()
  let status = StatusBar("Ready")
  private let pool = WorkerPool(name: "conversion", size: 1)
  private var work = DisposeBag()

  func show(in application: Application) {
    start.rx.tap.observeNext(weak: self) { conversion, _ in conversion.run() }
    stop.rx.tap.observeNext(weak: self) { conversion, _ in
      conversion.work = DisposeBag()  // ends the observation, and so the work
      conversion.status.text = "Stopped"
    }
    let buttons = StackView(.horizontal, [start, stop])
    application.show(
      Window(title: "Conversion", content: StackView(.vertical, [buttons, progress, status])))
  }

  private func run() {
    work = DisposeBag()
    EventStream<Int, Never>.sequence(1...100)
      .concatMap { [pool] number in
        EventStream<Int, Never>.perform(on: pool) { convert(number) }
      }
      .do(completed: { [status] in status.text = "Done" })
      .map { Double($0) / 100 }
      .bind(to: progress.rx.fraction)
      .disposed(by: work)
  }
}

let backend = try GTKBackend(identifier: "org.example.Conversion")
let application = Application(backend: backend)
let conversion = Conversion()
conversion.show(in: application)

// The rest uses the window, as a person would.
let script = try Script(
  """
  click "Start"
  click "Stop"
  expect "Stopped"
  click "Start"
  expect "Done"
  """)
let running = Single<Void, any Error>.task {
  try await ScriptRunner(application, on: backend).run(script)
}
try EventLoop.main.run(until: running.stream)
print(conversion.status.text)

// Output:
// Done
