import Runnel
import RunnelTesting

extension Chapter {
  /// Tracing the events of a stream, and finding leaks.
  static var debugging: [Chapter] {
    [
      Chapter(title: "A probe in a chain") { print in
        let scheduler = TestScheduler()
        let observation = myInterval(.milliseconds(100), on: scheduler, print)
          .debug("my probe", print: print)
          .map { element in "This is simply \(element)" }
          .observeNext { print($0) }
        scheduler.advance(by: .milliseconds(500))
        observation.dispose()
      },

      Chapter(title: "A custom debug operator") { print in
        EventStream<Int, Never>.sequence([1, 2])
          .myDebug("numbers", print)
          .observeNext { print($0) }
      },

      Chapter(title: "Counting live resources") { print in
        Resources.tracking { resources in
          let numbers = PushStream<Int>()
          let observation = numbers.map { $0 + 1 }.observeNext { _ in }
          print("Resource count \(resources.total)")
          observation.dispose()
          print("Resource count \(resources.total)")
        }
      },
    ]
  }
}

extension StreamProtocol {
  func myDebug(
    _ identifier: String, _ print: @escaping (Any) -> Void
  ) -> EventStream<Element, Failure> {
    EventStream { observer in
      print("subscribed \(identifier)")
      let observation = observe { event in
        print("event \(identifier) \(event)")
        observer.send(event)
      }
      return Disposable {
        print("disposing \(identifier)")
        observation.dispose()
      }
    }
  }
}
