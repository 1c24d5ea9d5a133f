import RunnelStreams
import RunnelTesting

typealias NumberSubject = Subject<Int, ContractFailure>
typealias NumberStream = EventStream<Int, ContractFailure>

/// Returns an event at a second of virtual time.
func at<Element, Failure>(
  _ second: Int, _ event: StreamEvent<Element, Failure>
) -> Timed<StreamEvent<Element, Failure>> {
  Timed(.seconds(second), event)
}

extension TestScheduler {
  /// Returns a subject to which the script's events are sent at their times.
  func subject<Element, Failure>(
    _ script: Timed<StreamEvent<Element, Failure>>...
  ) -> Subject<Element, Failure> {
    let subject = Subject<Element, Failure>()
    for step in script {
      _ = schedule(at: step.time) { subject.send(step.event) }
    }
    return subject
  }
}
