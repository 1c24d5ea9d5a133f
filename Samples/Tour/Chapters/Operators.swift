import Runnel
import RunnelTesting

extension Chapter {
  /// Deriving streams from other streams.
  static var operators: [Chapter] {
    [
      Chapter(title: "Transforming") { print in
        let counter = EventStream<Int, Never>.sequence([1, 2, 3])
        let doubled = counter.map { $0 * 2 }
        let divisibleByThree = counter.filter { $0 % 3 == 0 }
        let tripled = counter.concatMap { number in .sequence(Array(repeating: number, count: 3)) }
        doubled.toArray().observe(succeeded: { print($0) })
        divisibleByThree.toArray().observe(succeeded: { print($0) })
        tripled.toArray().observe(succeeded: { print($0) })
      },

      Chapter(title: "A custom map operator") { print in
        let scheduler = TestScheduler()
        let observation = myInterval(.milliseconds(100), on: scheduler, print)
          .myMap { element in "This is simply \(element)" }
          .observeNext { print($0) }
        scheduler.advance(by: .milliseconds(300))
        observation.dispose()
      },

      Chapter(title: "Sending results into a property") { print in
        let magicBeings = EventStream<String, Never>.sequence(["unicorn", "dragon"])
        let kittens = Property("first kitten")
        kittens.map { kitten in "\(kitten) purrs" }.observeNext { print($0) }
        magicBeings.observeNext { being in
          // Compute a value outside the stream, and send the result into a property.
          kittens.value = "kitten of a \(being)"
        }
      },
    ]
  }
}

extension StreamProtocol {
  /// The simplest way to write an operator: a stream that observes its source.
  func myMap<Output>(_ transform: @escaping (Element) -> Output) -> EventStream<Output, Failure> {
    EventStream { observer in
      observe { event in
        switch event {
        case .next(let element): observer.next(transform(element))
        case .failed(let error): observer.failed(error)
        case .completed: observer.completed()
        }
      }
    }
  }
}
