import RunnelStreams
import RunnelTesting

/// Inner streams for tests of flattening operators.
enum InnerStreams {
  /// Returns a stream that sends the element after two ticks and completes.
  static func later<Element, Failure: Error>(
    _ element: Element, on scheduler: TestScheduler
  ) -> EventStream<Element, Failure> {
    .unguarded { observer in
      observer.observation.add(
        scheduler.schedule(after: .seconds(2)) {
          observer.next(element)
          observer.completed()
        })
    }
  }

  /// Returns a stream that logs when it is observed and torn down.
  static func logged<Element, Failure: Error>(
    _ name: String, _ log: Log, _ stream: EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    .unguarded { observer in
      log.lines.append("+\(name)")
      observer.observation.add { log.lines.append("-\(name)") }
      stream.start(observer)
    }
  }

  /// Returns an endless stream that counts its current observations in the log.
  static func counted<Element, Failure: Error>(_ log: Log) -> EventStream<Element, Failure> {
    .unguarded { observer in
      log.alive += 1
      observer.observation.add { log.alive -= 1 }
    }
  }

  /// A log that tests write to.
  final class Log {
    var lines: [String] = []
    var alive = 0
  }
}
