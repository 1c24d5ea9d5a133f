import Runnel
import RunnelTesting

extension Chapter {
  /// Sharing one observation of a source among several observers.
  static var sharing: [Chapter] {
    [
      Chapter(title: "Sharing one run among observers") { print in
        let scheduler = TestScheduler()
        let counter = myInterval(.milliseconds(100), on: scheduler, print).share(replay: 1)
        print("Started ----")
        let first = counter.observeNext { print("First \($0)") }
        let second = counter.observeNext { print("Second \($0)") }
        scheduler.advance(by: .milliseconds(500))
        first.dispose()
        scheduler.advance(by: .milliseconds(500))
        second.dispose()
        print("Ended ----")
      },

      Chapter(title: "Pushing into a stream") { print in
        let numbers = PushStream<Int>()
        numbers.observeNext { number in print(number) }
        numbers.next(1)
        numbers.next(2)
      },

      Chapter(title: "Search results for several parts of a screen") { print in
        let scheduler = TestScheduler()
        let searchText = PushStream<String>()
        var requests = 0
        func search(_ query: String) -> EventStream<[String], SearchError> {
          EventStream { observer in
            requests += 1
            // The first request for "runnel" fails; the second answers a second later.
            if requests == 1 {
              observer.failed(SearchError())
              return .none
            }
            return scheduler.schedule(after: .seconds(1)) {
              observer.next(["\(query) 1", "\(query) 2"])
              observer.completed()
            }
          }
        }
        let searchResults =
          searchText
          .throttle(for: .milliseconds(300), on: scheduler)
          .distinctUntilChanged()
          .flatMapLatest { query in
            search(query)
              .retry(3)
              .startWith([])  // Clears the results on a new search term.
              .recover(with: [])
          }
          .share(replay: 1)
        searchResults.observeNext { print("List: \($0)") }
        searchResults.observeNext { print("Count: \($0.count)") }
        searchText.next("runnel")
        scheduler.advance(by: .seconds(2))
        print("Requests: \(requests)")
      },
    ]
  }
}

/// A failure of the tour's search.
struct SearchError: Error {}
