import Runnel
import RunnelTesting

extension Chapter {
  /// Creating streams.
  static var creating: [Chapter] {
    [
      Chapter(title: "Nothing happens until a stream is observed") { print in
        func searchWikipedia(_ term: String) -> EventStream<String, Never> {
          EventStream { observer in
            print("Searching for \(term)")
            observer.next("Results for \(term)")
            observer.completed()
            return .none
          }
        }
        let searchForMe = searchWikipedia("me")
        // No request is performed, and no work is done.
        print("Observing")
        searchForMe.observeNext { print($0) }
      },

      Chapter(title: "A custom just operator") { print in
        func myJust<Element>(_ element: Element) -> EventStream<Element, Never> {
          EventStream { observer in
            observer.next(element)
            observer.completed()
            return .none
          }
        }
        myJust(0).observeNext { print($0) }
      },

      Chapter(title: "A stream of the elements of an array") { print in
        func myFrom<Element>(_ sequence: [Element]) -> EventStream<Element, Never> {
          EventStream { observer in
            for element in sequence { observer.next(element) }
            observer.completed()
            return .none
          }
        }
        let stringCounter = myFrom(["first", "second"])
        print("Started ----")
        stringCounter.observeNext { print($0) }  // The first observation.
        print("----")
        stringCounter.observeNext { print($0) }  // A second, independent one.
        print("Ended ----")
      },

      Chapter(title: "A stream that performs work") { print in
        let scheduler = TestScheduler()
        let counter = myInterval(.milliseconds(100), on: scheduler, print)
        print("Started ----")
        let observation = counter.observeNext { print($0) }
        scheduler.advance(by: .milliseconds(500))
        observation.dispose()
        print("Ended ----")
      },

      Chapter(title: "Each observer gets a run of its own") { print in
        let scheduler = TestScheduler()
        let counter = myInterval(.milliseconds(100), on: scheduler, print)
        print("Started ----")
        let first = counter.observeNext { print("First \($0)") }
        let second = counter.observeNext { print("Second \($0)") }
        scheduler.advance(by: .milliseconds(500))
        first.dispose()
        scheduler.advance(by: .milliseconds(500))
        second.dispose()
        print("Ended ----")
      },

      Chapter(title: "Sequences and time") { print in
        let scheduler = TestScheduler()
        EventStream<Int, Never>.sequence([1, 2, 3]).observeNext { print($0) }
        EventStream<Int, Never>.interval(.seconds(1), on: scheduler).take(2).observeNext {
          print($0)
        }
        scheduler.advance(by: .seconds(2))
      },
    ]
  }
}

/// An interval as a user of Runnel would write it. It prints when it is started and disposed.
func myInterval(
  _ period: Duration, on scheduler: TestScheduler, _ print: @escaping (Any) -> Void
) -> EventStream<Int, Never> {
  EventStream { observer in
    print("Subscribed")
    let timer = RestartableTimer(on: scheduler)
    var count = 0
    func tick() {
      timer.set(after: period) {
        observer.next(count)
        count += 1
        tick()
      }
    }
    tick()
    return Disposable {
      print("Disposed")
      timer.cancel()
    }
  }
}
