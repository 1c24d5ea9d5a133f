import Runnel
import RunnelTesting

extension Chapter {
  /// Observing streams and disposing observations. Time is virtual on this tour: a minute passes at
  /// once.
  static var observing: [Chapter] {
    [
      Chapter(title: "Observing events") { print in
        let counter = EventStream<Int, Never> { observer in
          // Send the first three positive integers.
          observer.next(1)
          observer.next(2)
          observer.next(3)
          // Complete.
          observer.completed()
          return .none
        }
        counter.observe { event in print(event) }
        counter.observeNext { element in print(element) }
      },

      Chapter(title: "Disposing an observation") { print in
        let scheduler = TestScheduler()
        let observation = EventStream<Int, Never>.interval(.milliseconds(300), on: scheduler)
          .observe { event in print(event.element ?? -1) }
        scheduler.advance(by: .seconds(2))
        observation.dispose()
        scheduler.advance(by: .seconds(2))
      },

      Chapter(title: "Nothing is printed after dispose returns") { print in
        let numbers = PushStream<Int>()
        let observation = numbers.observeNext { print($0) }
        numbers.next(1)
        observation.dispose()
        numbers.next(2)
      },

      Chapter(title: "A dispose bag ends with its owner") { print in
        final class Model {
          var bag = DisposeBag()
        }
        let numbers = PushStream<Int>()
        let model = Model()
        numbers.observeNext { print("First bag: \($0)") }.disposed(by: model.bag)
        numbers.next(1)
        model.bag = DisposeBag()  // Releasing the old bag disposes its contents.
        numbers.observeNext { print("Second bag: \($0)") }.disposed(by: model.bag)
        numbers.next(2)
      },

      Chapter(title: "Take until an object is deallocated") { print in
        final class Screen: LifetimeOwner {
          let lifetime = Lifetime()
        }
        let numbers = PushStream<Int>()
        var screen: Screen? = Screen()
        if let screen {
          numbers.take(until: screen.rx.deallocated()).observe { print($0) }
        }
        numbers.next(1)
        screen = nil
        numbers.next(2)
      },

      Chapter(title: "One event at a time") { print in
        let numbers = PushStream<Int>()
        numbers.observe { event in
          print("Event processing started")
          if event.element == 1 { numbers.next(2) }  // A reentrant send is queued.
          print("Event processing ended")
        }
        numbers.next(1)
        numbers.next(3)
      },
    ]
  }
}
