import Foundation
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct EncodeTests {
  private struct Fault: Error, Equatable {}

  @Test func encodesEachElement() {
    let recorder = EventStream<[Int], Never>.sequence([[1, 2], []]).encode(encoder: JSONEncoder())
      .record()
    #expect(recorder.elements == [Data("[1,2]".utf8), Data("[]".utf8)])
    #expect(recorder.isCompleted)
  }

  @Test func usesEncoder() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    let recorder = EventStream<[String: Double], Never>.just(["b": .infinity, "a": 1])
      .encode(encoder: encoder).record()
    #expect(recorder.elements == [Data(#"{"a":1,"b":"∞"}"#.utf8)])
  }

  @Test func unencodableElementFails() {
    let numbers = PushStream<Double>()
    let recorder = numbers.encode(encoder: JSONEncoder()).record()
    numbers.next(.infinity)
    numbers.next(1)
    #expect(recorder.events.count == 1)
    guard case .unwritable(let error) = recorder.failure else {
      Issue.record("\(recorder.events)")
      return
    }
    #expect(error is EncodingError)
    #expect(!numbers.isObserved)
  }

  @Test func mapsErrorToFailureOfSource() {
    let numbers = Subject<Double, Fault>()
    let recorder = numbers.encode(encoder: JSONEncoder(), otherwise: { _ in Fault() }).record()
    numbers.next(1)
    numbers.next(.nan)
    #expect(recorder.events == [.next(Data("1".utf8)), .failed(Fault())])
  }

  @Test func decodesEncodedElements() {
    let words = ["", "Grüße", "\"\\\u{0}", "🧵"]
    let recorder = EventStream<String, Never>.sequence(words).encode(encoder: JSONEncoder())
      .ignoreFailure()
      .decode(String.self, decoder: JSONDecoder()).record()
    #expect(recorder.elements == words)
  }

  @Test func honoursContracts() {
    let violations = contractViolations { source, probe in
      source.map { element in
        probe.touch()
        return element.value
      }.encode(encoder: JSONEncoder(), otherwise: { _ in ContractFailure() })
    }
    #expect(violations == [])
  }
}
