import RunnelJSON
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct StreamTests {
  private enum Fault: Error, Equatable {
    case unreadable(String)
    case other
  }

  @Test func decodesBytesAndLines() {
    let packets = PushStream<[UInt8]>()
    let recorder = packets.decode([String: Int].self).record()
    packets.next(Array(#"{"a": 1}"#.utf8))
    packets.next(Array(#"{"a": 1, "b": 2}"#.utf8))
    packets.completed()
    #expect(recorder.elements == [["a": 1], ["a": 1, "b": 2]])
    #expect(recorder.isCompleted)

    let lines = EventStream<String, Never>.sequence(["1", " -2\n", "3.0"])
    #expect(lines.decode(Int.self).record().elements == [1, -2, 3])
  }

  @Test func anUnreadableElementFailsTheStream() {
    let packets = PushStream<[UInt8]>()
    let recorder = packets.decode(Int.self).record()
    packets.next(Array("1".utf8))
    packets.next(Array("1x".utf8))
    #expect(recorder.elements == [1])
    #expect(recorder.failure?.place?.offset == 1)
    #expect(!packets.isObserved)
  }

  @Test func mapsErrorsToTheFailureOfTheSource() {
    let packets = Subject<String, Fault>()
    let recorder = packets.decode(Int.self, otherwise: { .unreadable($0.reason) }).record()
    packets.next("1")
    packets.next("one")
    #expect(recorder.events == [.next(1), .failed(.unreadable("A value is expected."))])

    let failing = Subject<[UInt8], Fault>()
    let other = failing.decode(Int.self, otherwise: { .unreadable($0.reason) }).record()
    failing.failed(.other)
    #expect(other.events == [.failed(.other)])
  }

  @Test func encodesElements() {
    let recorder = EventStream<[Double], Never>.sequence([[1, 0.5], [], [.nan], [2]]).encode()
      .record()
    #expect(recorder.elements == [Array("[1,0.5]".utf8), Array("[]".utf8)])
    #expect(recorder.failure?.path == "[0]")

    let mapped = Subject<Double, Fault>()
    let failing = mapped.encode(otherwise: { .unreadable($0.reason) }).record()
    mapped.next(.infinity)
    #expect(failing.events == [.failed(.unreadable("JSON cannot express inf."))])
  }

  @Test func honoursContracts() {
    let violations = contractViolations { source, probe in
      source.map { element in
        probe.touch()
        return Array("\(element.value)".utf8)
      }.decode(Int.self, otherwise: { _ in ContractFailure() })
    }
    #expect(violations == [])
    let writing = contractViolations { source, probe in
      source.map { element in
        probe.touch()
        return element.value
      }.encode(otherwise: { _ in ContractFailure() })
    }
    #expect(writing == [])
  }

  @Test func honoursContractsOnFailure() {
    let violations = contractViolations(.handlesFailure) { source, probe in
      source.map { _ in "one" }.decode(
        Int.self,
        otherwise: { _ in
          probe.touch()
          return ContractFailure()
        })
    }
    #expect(violations == [])
  }
}
