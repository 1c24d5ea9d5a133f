import Runnel

@MainActor
final class Clock {
  let ticks = EventStream<Int, Never>.interval(.milliseconds(10)).share()
  private(set) var seen: [Int] = []

  func read() async {
    for await tick in ticks.values {  // the source waits for the body of the loop
      seen.append(tick)
      if seen.count == 3 { break }  // ends the observation
    }
  }
}

let clock = Clock()
await clock.read()
print(clock.seen)

// A task may compute what the main actor shows.
let word = EventStream<String, Never>.task {
  try? await Task.sleep(for: .milliseconds(5))
  return "done"
}
print(await word.first() ?? "")

// Output:
// [0, 1, 2]
// done
