import Runnel
import RunnelTesting

struct Offline: Error {}

/// The code that is tested. It names no clock and no server.
@MainActor
final class Search {
  let text = Property("")
  let titles = Property<[String]>([])
  private let bag = DisposeBag()

  init(find: @escaping (String) -> EventStream<[String], Offline>) {
    text.updates
      .debounce(for: .milliseconds(300))
      .flatMapLatest { text in
        find(text)
          .timeout(after: .seconds(5), failingWith: Offline())
          .retry(3, backoff: Backoff(initial: .seconds(1), jitter: 0))
          .recover(with: [])
      }
      .bind(to: titles)
      .disposed(by: bag)
  }
}

let scheduler = TestScheduler()
Current.with(scheduler: scheduler) {
  var attempts: [Duration] = []
  let search = Search { text in
    .deferred {
      attempts.append(scheduler.now)
      // A server that does not answer, then one that is off, then one that is slow.
      switch attempts.count {
      case 1: return .never
      case 2: return .failed(Offline())
      default: return .just(["Emma"]).delay(for: .seconds(4))
      }
    }
  }
  search.text.value = "E"
  scheduler.advance(by: .milliseconds(100))
  search.text.value = "Em"
  scheduler.run()
  print(attempts.map { "\($0)" })
  print(search.titles.value, "after", scheduler.now)
}

// Output:
// ["0.4 seconds", "6.4 seconds", "8.4 seconds"]
// ["Emma"] after 12.4 seconds
