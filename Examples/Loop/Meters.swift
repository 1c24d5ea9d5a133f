import Runnel

actor Meter {
  private let loop: EventLoop
  private let readings = PushStream<Double>()
  private let alarms = PushStream<String>()

  init(on loop: EventLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func start() {
    readings
      .buffer(count: 10)
      .map { $0.reduce(0, +) / Double($0.count) }
      .pairwise()
      .filter { before, now in now > 2 * before }
      .map { before, now in "From \(before) to \(now)" }
      .bind(to: alarms)
  }

  func record(_ reading: Double) { readings.next(reading) }

  func nextAlarm() async -> String? { await alarms.first() }
}

let meter = Meter(on: EventLoop(name: "meter"))
await meter.start()
let recording = Task {
  var reading = 1.0
  while !Task.isCancelled {
    for _ in 1...10 { await meter.record(reading) }
    reading = reading == 1 ? 9 : 1
  }
}
print(await meter.nextAlarm() ?? "")
recording.cancel()

// Output:
// From 1.0 to 9.0
