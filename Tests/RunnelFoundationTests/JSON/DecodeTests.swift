import Foundation
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct DecodeTests {
  private struct Note: Codable, Equatable {
    let title: String
    let wordCount: Int
  }

  private enum Fault: Error, Equatable {
    case unreadable(Data)
    case other

    init(_ failure: JSONFailure) {
      switch failure {
      case .unreadable(let json, _): self = .unreadable(json)
      case .unwritable: self = .other
      }
    }
  }

  @Test func decodesData() {
    let packets = PushStream<Data>()
    let recorder = packets.decode(Note.self, decoder: JSONDecoder()).record()
    packets.next(Data(#"{"title": "Grüße", "wordCount": 1}"#.utf8))
    packets.next(Data(#"{"wordCount": 0, "title": "", "more": null}"#.utf8))
    packets.completed()
    #expect(
      recorder.elements == [Note(title: "Grüße", wordCount: 1), Note(title: "", wordCount: 0)])
    #expect(recorder.isCompleted)
  }

  @Test func decodesText() {
    let lines = EventStream<String, Never>.sequence(["1", " -2\n", "3.0"])
    let recorder = lines.decode(Int.self, decoder: JSONDecoder()).record()
    #expect(recorder.elements == [1, -2, 3])
    #expect(recorder.isCompleted)
  }

  @Test func usesDecoder() {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = #"{"title": "It", "word_count": 7}"#
    let recorder = EventStream<String, Never>.just(json).decode(Note.self, decoder: decoder)
      .record()
    #expect(recorder.elements == [Note(title: "It", wordCount: 7)])
  }

  @Test(arguments: ["", "{", #"{"title": "It"}"#, "[1]", "\u{0}", #"{"title": 1, "wordCount": 1}"#])
  func unreadableJSONFailsWithBytes(_ json: String) {
    let packets = PushStream<Data>()
    let recorder = packets.decode(Note.self, decoder: JSONDecoder()).record()
    packets.next(Data(json.utf8))
    packets.next(Data(#"{"title": "It", "wordCount": 7}"#.utf8))
    #expect(recorder.events.count == 1)
    guard case .unreadable(let unread, let error) = recorder.failure else {
      Issue.record("\(recorder.events)")
      return
    }
    #expect(unread == Data(json.utf8))
    #expect(error is DecodingError)
    #expect(!packets.isObserved)
  }

  @Test func mapsErrorToFailureOfSource() {
    let packets = Subject<Data, Fault>()
    let unreadable = packets.decode(Int.self, decoder: JSONDecoder(), otherwise: Fault.init)
      .record()
    packets.next(Data("1".utf8))
    packets.next(Data("one".utf8))
    #expect(unreadable.events == [.next(1), .failed(.unreadable(Data("one".utf8)))])

    let texts = Subject<String, Fault>()
    let failing = texts.decode(Int.self, decoder: JSONDecoder(), otherwise: Fault.init).record()
    texts.next("1")
    texts.failed(.other)
    #expect(failing.events == [.next(1), .failed(.other)])
  }

  @Test func disposingWhileDecodingStopsDelivery() {
    let place = SerialDisposable()
    let packets = PushStream<Data>()
    var events = 0
    place.current = packets.decode([DecodingProbe].self, decoder: JSONDecoder()).observe { _ in
      events += 1
    }
    DecodingProbe.onDecode.withLock { $0 = { place.dispose() } }
    packets.next(Data("[1, 2]".utf8))
    #expect(events == 0)
    #expect(!packets.isObserved)
  }

  @Test func honoursContracts() {
    let violations = contractViolations { source, probe in
      source.map { element in
        probe.touch()
        return Data("\(element.value)".utf8)
      }.decode(Int.self, decoder: JSONDecoder(), otherwise: { _ in ContractFailure() })
    }
    #expect(violations == [])
  }

  @Test func honoursContractsOnFailure() {
    let violations = contractViolations(.handlesFailure) { source, probe in
      source.map { _ in "one" }.decode(
        Int.self, decoder: JSONDecoder(),
        otherwise: { _ in
          probe.touch()
          return ContractFailure()
        })
    }
    #expect(violations == [])
  }
}

/// A value that runs an action while it is decoded.
private struct DecodingProbe: Decodable {
  static let onDecode = Monitor<() -> Void> {}

  init(from decoder: any Decoder) throws {
    Self.onDecode.withLock { $0 }()
    _ = try decoder.singleValueContainer().decode(Int.self)
  }
}
