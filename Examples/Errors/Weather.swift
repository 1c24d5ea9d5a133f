import Runnel

enum WeatherError: Error {
  case offline
  case timedOut
  case notANumber(String)
}

// A server that answers at its second attempt, another one that never answers, and one that is off.
var attempts = 0
let server = EventStream<String, WeatherError>.deferred {
  attempts += 1
  return attempts == 1 ? .failed(.offline) : .just("21 degrees")
}
let slow = EventStream<String, WeatherError>.never
let off = EventStream<String, WeatherError>.failed(.offline)
let reading = EventStream<String, WeatherError>.just("21 degrees")

let pauses = Backoff(initial: .milliseconds(10))
server.retry(3, backoff: pauses)  // three attempts in all, with growing pauses
  .observe(next: { print("server:", $0) }, failed: { print("server:", $0) })
slow.timeout(after: .milliseconds(30), failingWith: .timedOut)
  .catch { _ in off }  // the next server may fail, too
  .recover(with: "unknown")  // from here, the stream cannot fail
  .observeNext { print("slow:", $0) }

let degrees = reading.map { text throws(WeatherError) in
  guard let number = Int(text) else { throw .notANumber(text) }
  return number
}
degrees.observe(next: { print($0) }, failed: { print("degrees:", $0) })
EventLoop.main.run(for: .milliseconds(200))

// Output:
// degrees: notANumber("21 degrees")
// server: 21 degrees
// slow: unknown
