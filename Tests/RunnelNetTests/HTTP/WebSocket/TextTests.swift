import RunnelNet
import RunnelTesting
import Testing

@Suite("Text of a WebSocket") struct TextTests {
  /// Boundary sequences: the first and the last of each length, and those just outside.
  private static let sequences: [[UInt8]] = [
    [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
    [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBD], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
    [0xF4, 0x8F, 0xBF, 0xBF], [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83],
    [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
    [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC2], [0xE1, 0x80], [0xF1, 0x80, 0x80],
    [0xC2, 0x41], [0xE1, 0x41, 0x80], [0xF1, 0x80, 0x41, 0x80], [0x41, 0xED, 0xB0, 0x80, 0x42],
  ]

  @Test("Boundary sequences are valid exactly if Swift accepts them", arguments: sequences)
  func boundarySequences(_ sequence: [UInt8]) {
    let isValid = String(validating: sequence, as: UTF8.self) != nil
    for lead in [[], Array("12345678".utf8), Array("é".utf8)] {
      let bytes = lead + sequence
      for size in [1, 2, 3, .max] {
        let whole = assemble(Frame(opcode: 1, payload: bytes).bytes, pieces: size)
        #expect(whole.error == (isValid ? nil : .invalidText))
      }
      for cut in 0...bytes.count {
        let frames = [
          Frame(opcode: 1, payload: Array(bytes[..<cut]), isFinal: false),
          Frame(opcode: 0, payload: Array(bytes[cut...])),
        ]
        #expect(assemble(frames.bytes).error == (isValid ? nil : .invalidText))
      }
    }
  }

  @Test func everyPairOfBytesIsCheckedAsSwiftDoes() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second]
        var validator = UTF8Validator()
        let isAccepted = bytes.withUnsafeBytes { validator.accepts($0) }
        let isValid = String(validating: bytes, as: UTF8.self) != nil
        #expect((isAccepted && validator.isComplete) == isValid, "\(bytes)")
      }
    }
  }

  @Test(arguments: seeds(7)) func randomBytesAreCheckedAsSwiftDoes(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var bytes = Array("aé€😀x".utf8.shuffled(using: &generator).prefix(3))
      bytes += Array(["a", "é", "€", "😀"].shuffled(using: &generator).joined().utf8)
      bytes += Array("0123456789".utf8)
      if Bool.random(using: &generator) { bytes.removeFirst(3) }
      var validator = UTF8Validator()
      var isAccepted = true
      for byte in bytes where isAccepted {
        isAccepted = withUnsafeBytes(of: byte) { validator.accepts($0) }
      }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect((isAccepted && validator.isComplete) == isValid, "seed \(seed): \(bytes)")
      var atOnce = UTF8Validator()
      let isAcceptedAtOnce = bytes.withUnsafeBytes { atOnce.accepts($0) }
      #expect((isAcceptedAtOnce && atOnce.isComplete) == isValid, "seed \(seed): \(bytes)")
    }
  }

  @Test("Invalid text is refused in the middle of its frame")
  func invalidTextFailsEarly() {
    let text = Array("κόσμε".utf8) + [0xED, 0xA0, 0x80] + [UInt8](repeating: 0x61, count: 100)
    let bytes = Frame(opcode: 1, payload: text).bytes
    let result = assemble(bytes, pieces: 1)
    #expect(result.error == .invalidText)
    // The header, the text before, and the two bytes that no character begins with.
    #expect(result.count == 6 + "κόσμε".utf8.count + 2)
  }
}
