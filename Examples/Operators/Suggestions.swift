import Runnel

struct Offline: Error {}

@MainActor func search(_ text: String) -> EventStream<[String], Offline> {
  text == "?" ? .failed(Offline()) : .just(["Emma", "Dune"].filter { $0.hasPrefix(text) })
}

let searchText = PushStream<String>()
let results = Property<[String]>([])
searchText
  .debounce(for: .milliseconds(20))  // wait for a pause
  .distinctUntilChanged()  // skip equal texts
  .flatMapLatest { search($0).retry(3).recover(with: []) }  // keep only the latest request
  .bind(to: results)

searchText.next("D")
searchText.next("E")
EventLoop.main.run(until: results.filter { !$0.isEmpty })
print(results.value)

// Output:
// ["Emma"]
