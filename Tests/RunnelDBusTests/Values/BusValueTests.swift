import CSystemd
import Glibc
import RunnelDBus
import RunnelStreams
import Testing

@testable import RunnelDBus

@Suite struct BusValueTests {
  private let factory = MessageFactory()

  private struct Icon: BusStructure, Hashable {
    var width: Int32
    var pixels: [UInt8]
    var labels: [String: Variant]

    static let members = [Int32.busType, [UInt8].busType, [String: Variant].busType]

    func writeMembers(to writer: BusWriter) throws(BusError) {
      try width.write(to: writer)
      try pixels.write(to: writer)
      try labels.write(to: writer)
    }

    init(width: Int32, pixels: [UInt8], labels: [String: Variant]) {
      self.width = width
      self.pixels = pixels
      self.labels = labels
    }

    init(members reader: BusReader) throws(BusError) {
      width = try Int32(from: reader)
      pixels = try [UInt8](from: reader)
      labels = try [String: Variant](from: reader)
    }
  }

  private func expectSame<Value: BusValue & Equatable>(_ values: Value...) throws {
    for value in values {
      #expect(try factory.roundTrip(value) == value)
      #expect(try factory.roundTrip([value, value]) == [value, value])
      #expect(try factory.roundTrip(["key": value]) == ["key": value])
      #expect(try Variant(value).value(as: Value.self) == value)
      #expect(try factory.roundTrip(Variant(value)) == Variant(value))
    }
  }

  @Test func basicValuesSurviveRoundTrip() throws {
    try expectSame(UInt8.min, .max)
    try expectSame(false, true)
    try expectSame(Int16.min, 0, .max)
    try expectSame(UInt16.min, .max)
    try expectSame(Int32.min, -1, .max)
    try expectSame(UInt32.min, .max)
    try expectSame(Int64.min, -1, .max)
    try expectSame(UInt64.min, .max)
    try expectSame(0.0, -1.5, .infinity, .leastNonzeroMagnitude)
    try expectSame("", "text", "é漢😀\n", String(repeating: "long ", count: 1_000))
    try expectSame(ObjectPath.root, "/org/example/a_1")
    try expectSame(Signature([]), Signature([.array(.dictionary(key: .string, value: .variant))]))
  }

  @Test func containersSurviveRoundTrip() throws {
    try expectSame([Int32](), [1, 2, 3])
    try expectSame([UInt8](), [0, 255])
    try expectSame([[String]](), [[], ["a"], ["b", "c"]])
    try expectSame([UInt32: [String]](), [1: ["a"], 2: []])
    try expectSame(Variant(Variant(Variant("inner"))))
    let icon = Icon(width: 3, pixels: [1, 2], labels: ["a": Variant(1.5), "b": Variant([true])])
    try expectSame(icon)
    #expect(Icon.busType.signature == "(iaya{sv})")
  }

  @Test func descriptorsAreDuplicated() throws {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    defer { close(ends[0]) }
    var byte: UInt8 = 0
    do {
      let sent = BusDescriptor(owning: ends[1])
      let received = try factory.roundTrip(sent)
      #expect(received.number != sent.number)
      #expect(write(received.number, "x", 1) == 1)
      #expect(read(ends[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    }
    // The sent one and its duplicates are closed.
    #expect(read(ends[0], &byte, 1) == 0)
  }

  @Test func writerAndReaderKeepTheirMessage() throws {
    var writers: [BusWriter] = []
    let message = try factory.message { writer throws(BusError) in
      writers.append(writer)
      try "text".write(to: writer)
    }
    var body: BusBody? = BusBody(message)
    sd_bus_message_unref(message)
    var readers: [BusReader] = []
    try body?.read([.string]) { reader throws(BusError) in readers.append(reader) }
    body = nil
    #expect(try String(from: readers[0]) == "text")
    // The message is sealed.
    #expect(throws: BusError.malformed) { try "more".write(to: writers[0]) }
  }

  /// A value whose reading reads nothing.
  private struct Nothing: BusValue {
    static var busType: BusType { .byte }
    func write(to writer: BusWriter) throws(BusError) { try UInt8(1).write(to: writer) }
    init() {}
    init(from reader: BusReader) throws(BusError) {}
  }

  @Test func readingNothingEndsAnArray() throws {
    let message = try factory.message { writer throws(BusError) in
      try [UInt32(1), 2].write(to: writer)
    }
    defer { sd_bus_message_unref(message) }
    let reader = BusReader(MessageReference(message))
    #expect(throws: BusError.malformed) { try reader.array(of: .uint32) { _ in } }
    #expect(throws: BusError.malformed) { try Variant([Nothing()]).value(as: [Nothing].self) }
  }

  @Test func keysWithoutAnEqualAreMalformed() throws {
    let entries = [1, .nan].map { Variant.Entry(key: .double($0), value: .byte(1)) }
    let content = Variant.Content.dictionary(key: .double, value: .byte, entries)
    let message = try factory.message { writer throws(BusError) in try writer.write(content) }
    defer { sd_bus_message_unref(message) }
    let reader = BusReader(MessageReference(message))
    #expect(throws: BusError.malformed) { try [Double: UInt8](from: reader) }
    #expect(throws: BusError.malformed) { try Variant(content).value(as: [Double: UInt8].self) }
  }

  @Test func bytesInTheGeneralFormAreRead() throws {
    let general = Variant(.array(of: .byte, [.byte(1), .byte(2)]))
    #expect(try general.value(as: [UInt8].self) == [1, 2])
    #expect(try factory.roundTrip(general) == Variant(.bytes([1, 2])))
  }

  @Test func randomContentSurvivesRoundTrip() throws {
    for seed in 0..<2_000 {
      var random = RandomContent(random: SplitMix(seed: UInt64(seed)))
      let type = random.type()
      #expect(BusType.types(of: type.signature) == [type], "seed \(seed)")
      let content = random.content(of: type)
      let result = try factory.roundTrip(content)
      guard result != content else { continue }
      Issue.record("seed \(seed): \(content) became \(result)")
    }
  }

  @Test func otherTypesAreRefused() throws {
    let expected = BusError.wrongSignature(expected: "s", found: "u")
    #expect(throws: expected) { try Variant(UInt32(1)).value(as: String.self) }
    #expect(throws: BusError.self) {
      let message = try factory.message { writer throws(BusError) in
        try UInt32(1).write(to: writer)
      }
      defer { sd_bus_message_unref(message) }
      _ = try String(from: BusReader(MessageReference(message)))
    }
    #expect(Variant([Int32(1)])[[UInt32].self] == nil)
    #expect(Variant([Int32(1)])[[Int32].self] == [1])
  }

  @Test func textWithZeroIsRefused() {
    #expect(throws: BusError.invalidText) { try factory.roundTrip("a\0b") }
  }

  @Test func readingBeyondTheEndFails() throws {
    let message = try factory.message { writer throws(BusError) in try "only".write(to: writer) }
    defer { sd_bus_message_unref(message) }
    let reader = BusReader(MessageReference(message))
    #expect(try String(from: reader) == "only")
    #expect(throws: BusError.malformed) { try String(from: reader) }
  }

  @Test func inconsistentContentIsRefused() {
    let mixed = Variant.Content.array(of: .int32, [.int32(1), .string("a")])
    #expect(throws: BusError.malformed) { try factory.roundTrip(Variant(mixed)) }
    let empty = Variant.Content.structure([])
    #expect(throws: BusError.malformed) { try factory.roundTrip(Variant(empty)) }
  }

  @Test func deepVariantsAreRefused() throws {
    var allowed = Variant(UInt8(1))
    for _ in 1..<BusLimits.depth { allowed = Variant(allowed) }
    #expect(try factory.roundTrip(allowed) == allowed)
    #expect(throws: BusError.tooDeep) { try factory.roundTrip(Variant(allowed)) }
  }

  @Test func variantsOfManyPartsAreRefused() throws {
    let content = Variant.Content.array(
      of: .uint16, [Variant.Content](repeating: .uint16(1), count: BusLimits.parts))
    #expect(throws: BusError.tooLarge) { try factory.roundTrip(Variant(content)) }
    let parts = [Variant](repeating: Variant(UInt8(1)), count: 1_001)
    let fitting = Array(parts.prefix(1_000))
    #expect(try factory.roundTrip(fitting) == fitting)
    // Bytes are one part.
    let bytes = [UInt8](repeating: 7, count: BusLimits.parts + 1)
    #expect(try factory.roundTrip(Variant(bytes)) == Variant(bytes))
  }

  @Test func arraysAboveTheLimitAreNotSent() throws {
    let bytes = [UInt8](repeating: 1, count: BusLimits.arrayBytes + 1)
    // Without `bytes` in the expectation, which would print them.
    func error(_ value: some BusValue) -> BusError? {
      do throws(BusError) {
        sd_bus_message_unref(
          try factory.message { writer throws(BusError) in try value.write(to: writer) })
        return nil
      } catch {
        return error
      }
    }
    let errors = [error(bytes), error([bytes]), error(Variant(bytes)), error(["a": bytes])]
    #expect(errors == [.tooLarge, .tooLarge, .tooLarge, .tooLarge])
    let fitting = error(Variant([UInt8](repeating: 1, count: BusLimits.arrayBytes)))
    #expect(fitting == nil)
    let half = [UInt8](repeating: 1, count: BusLimits.arrayBytes / 2)
    #expect(error([half, half]) == .tooLarge)
  }

  @Test func descriptorsThatAreClosedAreNotSent() {
    let descriptor = BusDescriptor(owning: 1 << 20)
    #expect(throws: BusError.invalidDescriptor) { try factory.roundTrip(descriptor) }
  }
}
