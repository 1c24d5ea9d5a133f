import Runnel

struct Offline: Error {}

@MainActor func search(_ text: String) -> EventStream<[String], Offline> {
  text == "x" ? .failed(Offline()) : .just(["Emma", "Dune"].filter { $0.hasPrefix(text) })
}

let searchText = Property("")
let summary = Property("")
let found =
  searchText
  .debounce(for: .milliseconds(10))
  .flatMapLatest { search($0).recover(with: []) }
  .driver
found.map { "\($0.count) found" }.drive(summary)

EventLoop.main.run(until: summary.filter { $0 == "2 found" })
searchText.value = "E"
EventLoop.main.run(until: summary.filter { $0 == "1 found" })
print(summary.value)

// Output:
// 1 found
