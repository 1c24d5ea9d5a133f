import Runnel

struct Offline: Error {}

@MainActor func search(_ text: String) -> EventStream<[String], Offline> {
  let books = ["Dune", "Emma", "Middlemarch"].filter { $0.hasPrefix(text) }
  return .just(books).delay(for: .milliseconds(10))  // as if a server answered
}

let query = Property("")
query
  .debounce(for: .milliseconds(50))  // waits for a pause in typing
  .distinctUntilChanged()
  .flatMapLatest { search($0).retry(3).recover(with: []) }  // drops the answer to an old text
  .observeNext { print($0) }

query.value = "E"
query.value = "Em"
EventLoop.main.run(for: .milliseconds(200))

// Output:
// ["Emma"]
