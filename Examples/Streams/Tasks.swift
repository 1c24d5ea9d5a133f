import Runnel

@concurrent func page(_ number: Int) async throws -> String { "page \(number)" }

let ticks = EventStream<Int, Never>.interval(.seconds(1))
let reading = Task {
  for await tick in ticks.values { print("tick \(tick)") }
}
Single.task { try await page(7) }.observe(
  succeeded: { page in
    print(page)
    reading.cancel()
    EventLoop.main.stop()
  }, failed: { print($0) })

EventLoop.main.run()

// Output:
// page 7
