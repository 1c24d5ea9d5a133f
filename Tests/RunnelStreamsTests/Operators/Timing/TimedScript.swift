import RunnelStreams
import RunnelTesting

typealias NumberSubject = Subject<Int, ContractFailure>
typealias NumberStream = EventStream<Int, ContractFailure>

/// An event at a second of virtual time.
func at<Element, Failure>(
  _ second: Int, _ event: StreamEvent<Element, Failure>
) -> Timed<StreamEvent<Element, Failure>> {
  Timed(.seconds(second), event)
}

extension TestScheduler {
  /// A subject that is sent these events, each at its time.
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
