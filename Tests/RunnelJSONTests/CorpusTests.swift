import Foundation
import RunnelJSON
import Testing

/// The inputs of a public test suite for parsers of JSON.
@Suite struct CorpusTests {
  private struct Case {
    let name: String
    /// The duty of a parser: "accept", "reject", or "either".
    let expected: String
    let text: [UInt8]

    init?(_ line: Substring) {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard !line.hasPrefix("#"), parts.count == 3 else { return nil }
      (name, expected) = (String(parts[0]), String(parts[1]))
      var text: [UInt8] = []
      var rest = parts[2].utf8[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        text.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      }
      self.text = text
    }
  }

  private static func cases() throws -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus/cases.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
      Case($0)
    }
  }

  private static func isAccepted(_ text: [UInt8]) -> Bool {
    (try? JSON.decode(JSONValue.self, from: text)) != nil
  }

  /// The accepted ones of the inputs that a parser may accept or not.
  private static let accepted: Set = [
    // Exponents of any size round to zero.
    "number_double_huge_neg_exp", "number_real_underflow",
    // Integers without a type are numbers.
    "number_too_big_neg_int", "number_too_big_pos_int", "number_very_big_negative_int",
    "structure_500_nested_arrays",
  ]

  @Test func everyInputIsAcceptedOrRejected() throws {
    let cases = try Self.cases()
    #expect(cases.count == 316)
    for input in cases {
      let isExpected =
        input.expected == "either" ? Self.accepted.contains(input.name) : input.expected == "accept"
      #expect(Self.isAccepted(input.text) == isExpected, "\(input.name)")
    }
  }

  @Test("An accepted text is written as one that reads as the same value")
  func acceptedTextsAreWritten() throws {
    for input in try Self.cases() where input.expected == "accept" {
      let value = try JSON.decode(JSONValue.self, from: input.text)
      #expect(try JSON.decode(JSONValue.self, from: JSON.encode(value)) == value)
      let written = JSONWriter.bytes { $0.write(value) }
      #expect(try JSON.decode(JSONValue.self, from: written) == value, "\(input.name)")
    }
  }

  @Test("Deep texts without an end are rejected")
  func deepTexts() {
    for part in ["[", "[{\"\":"] {
      let text = Array(String(repeating: part, count: 100_000).utf8)
      for limits in [JSONLimits(), JSONLimits(depth: .max)] {
        #expect(throws: JSONError.self) {
          try JSON.decode(Int.self, from: text, within: limits)
        }
      }
    }
  }

  @Test("An array or object that is cut anywhere is rejected")
  func cutTexts() throws {
    for input in try Self.cases() where input.expected == "accept" {
      let text = input.text
      guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
        continue
      }
      let end = text.lastIndex { $0 > 0x20 } ?? 0
      for count in 0..<end { #expect(!Self.isAccepted(Array(text[..<count])), "\(input.name)") }
    }
  }
}
