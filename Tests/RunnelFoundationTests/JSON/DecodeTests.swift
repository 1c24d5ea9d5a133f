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

  @Test func readsData() {
    let packets = PushStream<Data>()
    let recorder = packets.decode(Note.self).record()
    packets.next(Data(#"{"title": "Grüße", "wordCount": 1}"#.utf8))
    packets.next(Data(#"{"wordCount": 0, "title": "", "more": null}"#.utf8))
    packets.completed()
    #expect(
      recorder.elements == [Note(title: "Grüße", wordCount: 1), Note(title: "", wordCount: 0)])
    #expect(recorder.isCompleted)
  }

  @Test func readsText() {
    let lines = EventStream<String, Never>.sequence(["1", " -2\n", "3.0"])
    let recorder = lines.decode(Int.self).record()
    #expect(recorder.elements == [1, -2, 3])
    #expect(recorder.isCompleted)
  }

  @Test func readsAsTheDecoderSays() {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = #"{"title": "It", "word_count": 7}"#
    let recorder = EventStream<String, Never>.just(json).decode(Note.self, decoder: decoder)
      .record()
    #expect(recorder.elements == [Note(title: "It", wordCount: 7)])
  }

  @Test(arguments: ["", "{", #"{"title": "It"}"#, "[1]", "\u{0}", #"{"title": 1, "wordCount": 1}"#])
  func failsWithWhatItCannotRead(_ json: String) {
    let packets = PushStream<Data>()
    let recorder = packets.decode(Note.self).record()
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

  @Test func failsAsTheSourceDoes() {
    let packets = Subject<Data, Fault>()
    let unreadable = packets.decode(Int.self, otherwise: Fault.init).record()
    packets.next(Data("1".utf8))
    packets.next(Data("one".utf8))
    #expect(unreadable.events == [.next(1), .failed(.unreadable(Data("one".utf8)))])

    let texts = Subject<String, Fault>()
    let failing = texts.decode(Int.self, otherwise: Fault.init).record()
    texts.next("1")
    texts.failed(.other)
    #expect(failing.events == [.next(1), .failed(.other)])
  }

  @Test func isDisposedWhileItReads() {
    let place = SerialDisposable()
    let packets = PushStream<Data>()
    var events = 0
    place.current = packets.decode([Disposing].self).observe { _ in events += 1 }
    Disposing.inTheMidst.withLock { $0 = { place.dispose() } }
    packets.next(Data("[1, 2]".utf8))
    #expect(events == 0)
    #expect(!packets.isObserved)
  }

  @Test func keepsTheContracts() {
    let violations = contractViolations { source, probe in
      source.map { element in
        probe.touch()
        return Data("\(element.value)".utf8)
      }.decode(Int.self, otherwise: { _ in ContractFailure() })
    }
    #expect(violations == [])
  }

  @Test func keepsTheContractsWhereItFails() {
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

/// Does something while it is read.
private struct Disposing: Decodable {
  static let inTheMidst = Monitor<() -> Void> {}

  init(from decoder: any Decoder) throws {
    Self.inTheMidst.withLock { $0 }()
    _ = try decoder.singleValueContainer().decode(Int.self)
  }
}
