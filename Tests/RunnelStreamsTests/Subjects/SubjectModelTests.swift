import RunnelStreams
import RunnelTesting
import Testing

/// Random scripts of observing, disposing, sending and ending, often inside events or replays. They
/// run on a subject and on a slow, obvious model.
@Suite struct SubjectModelTests {
  @Test(arguments: [0, 1, 3, Int.max])
  func scriptsAgreeWithTheModel(capacity: Int) {
    for seed in UInt64(1)...400 {
      let expected = play(seed, on: ModelSubject(capacity: capacity))
      let replaying = play(seed, on: RealReplay(capacity: capacity))
      #expect(replaying == expected, "seed \(seed), ReplayStream of \(capacity)")
      if capacity == 0 {
        let plain = play(seed, on: RealSubject())
        #expect(plain == expected, "seed \(seed), Subject")
      }
    }
  }
}

private final class RealSubject: ScriptedSubject {
  private let subject = PushStream<Int>()
  private let observations = Observations()

  func add(_ number: Int, _ handler: @escaping (StreamEvent<Int, Never>) -> Void) {
    observations.observe(subject.stream, as: number, handler)
  }

  func remove(_ number: Int) { observations.dispose(number) }
  func send(_ event: StreamEvent<Int, Never>) { subject.send(event) }
}

private final class RealReplay: ScriptedSubject {
  private let subject: ReplayStream<Int, Never>
  private let observations = Observations()

  init(capacity: Int) {
    subject = ReplayStream(capacity: capacity)
  }

  func add(_ number: Int, _ handler: @escaping (StreamEvent<Int, Never>) -> Void) {
    observations.observe(subject.stream, as: number, handler)
  }

  func remove(_ number: Int) { observations.dispose(number) }
  func send(_ event: StreamEvent<Int, Never>) { subject.send(event) }
}
