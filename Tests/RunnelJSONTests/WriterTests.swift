import RunnelJSON
import TestSupport
import Testing

@Suite struct WriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    String(decoding: JSONWriter.bytes(write), as: UTF8.self)
  }

  @Test func writesStructure() {
    let written = text { json in
      json.object { json in
        json.field("id", 7)
        json.field("name", "a\"b\\c\n\u{1}é😀")
        json.field("none", Int?.none)
        json.field("ratio", 0.5)
        json.array("rows") { json in
          json.write(true)
          json.array { _ in }
          json.object { _ in }
          json.writeNull()
        }
        json.object("inner") { json in json.field("list", [1, 2]) }
      }
    }
    #expect(
      written == #"{"id":7,"name":"a\"b\\c\n\u0001é😀","none":null,"ratio":0.5,"#
        + #""rows":[true,[],{},null],"inner":{"list":[1,2]}}"#)
  }

  @Test func numbersAreShort() {
    for (value, written) in [
      (0.0, "0"), (-0.0, "-0.0"), (1, "1"), (-2.5, "-2.5"), (1e15, "1000000000000000"),
      (0.1, "0.1"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
      (9_007_199_254_740_992, "9007199254740992.0"),
    ] {
      #expect(text { $0.write(value) } == written)
    }
    #expect(text { $0.write(Float(0.1)) } == "0.1")
    for value in [Int.min, -1, 0, 9, 10, 99, 100, 999_999, .max] {
      #expect(text { $0.write(value) } == "\(value)")
    }
    #expect(text { $0.write(UInt64.max) } == "\(UInt64.max)")
    #expect(text { $0.write(Int128.min) } == "\(Int128.min)")
  }

  @Test func textsGrow() throws {
    let long = String(repeating: "é\"", count: 100_000)
    let list = [String](repeating: long, count: 3)
    #expect(try JSON.decode([String].self, from: JSONWriter.bytes { $0.write(list) }) == list)
  }

  @Test("A closure that throws has written nothing")
  func errorsLeaveNothing() {
    struct Odd: Error {}
    let written = text { json in
      json.object { json in
        json.field("a", 1)
        try? json.object("b") { json throws(Odd) in
          json.field("c", 2)
          throw Odd()
        }
        try? json.array("d") { json throws(Odd) in
          json.write(3)
          throw Odd()
        }
        json.array("e") { json in
          try? json.array { json throws(Odd) in throw Odd() }
          try? json.object { json throws(Odd) in
            json.field("f", 4)
            throw Odd()
          }
          json.write(5)
        }
      }
    }
    #expect(written == #"{"a":1,"e":[5]}"#)
  }

  @Test func misuseTraps() async {
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.text { _ in }
    }
    #expect(empty.says("A JSON text needs a value."))
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.bytes { json in json.field("a", 1) }
    }
    #expect(first.says("The field \"a\" stands outside an object."))
    let second = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.bytes { json in json.object { $0.write(1) } }
    }
    #expect(second.says("A value in an object needs a name"))
    let third = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.bytes { json in
        json.write(1)
        json.write(2)
      }
    }
    #expect(third.says("A JSON text has one outermost value."))
    let fourth = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.bytes { json in json.write(Double.nan) }
    }
    #expect(fourth.says("JSON cannot express nan."))
  }
}
