import RunnelJSON
import TestSupport
import Testing

@Suite struct EncodingTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.encode(value), as: UTF8.self)
  }

  @Test func encodesCodableTypes() throws {
    struct Place: Codable { var row = 1, name: String? = nil }
    struct Post: Codable {
      var id = 7
      var ratio = 0.5
      var isOpen = true
      var tags = ["a", "b"]
      var places = [Place(), Place(row: 2, name: "x")]
      var counts = ["n": 3]
      var pairs = [1: "one"]
      var nothing: Int?
    }
    #expect(
      try text(Post())
        == #"{"id":7,"ratio":0.5,"isOpen":true,"tags":["a","b"],"places":[{"row":1},{"row":2,"name":"x"}],"#
        + #""counts":{"n":3},"pairs":{"1":"one"}}"#)
    #expect(try text([Int?.none, 1]) == "[null,1]")
    #expect(try text(5) == "5" && text("a") == #""a""# && text([Int]()) == "[]")
    #expect(try text([String: Int]()) == "{}")
    #expect(try text([[[1.5]], []]) == "[[[1.5]],[]]")
  }

  /// What nested containers write stands at their place, whenever it is written.
  @Test func containersMayInterleave() throws {
    struct Odd: Encodable {
      enum Key: String, CodingKey { case a, b, c, d }
      func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        var list = fields.nestedUnkeyedContainer(forKey: .a)
        try list.encode(1)
        try fields.encode("b", forKey: .b)
        try list.encode(2)
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(3, forKey: .c)
        let parent = fields.superEncoder(forKey: .c)
        try list.encode(4)
        try inner.encode([5], forKey: .d)
        var single = parent.singleValueContainer()
        try single.encode("parent")
        _ = fields.superEncoder()
        var same = encoder.container(keyedBy: Key.self)
        try same.encode(6, forKey: .d)
        #expect(list.codingPath.map(\.stringValue) == ["0", "a"])
      }
    }
    #expect(
      try text([Odd()])
        == #"[{"a":[1,2,{"c":3,"d":[5]},4],"b":"b","c":"parent","super":{},"d":6}]"#)
  }

  @Test func errorsTellThePath() {
    struct Post: Encodable { var ratios = [1.0, .infinity] }
    let error = #expect(throws: JSONError.self) { try JSON.encode(["posts": [Post()]]) }
    #expect(error.map { "\($0)" } == "posts[0].ratios[1]: JSON has no inf.")
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    #expect(throws: JSONError.self) { try JSON.encode([Nothing()]) }
  }

  /// A value that fails after it has written something.
  private struct Failing: Encodable {
    struct Odd: Error {}
    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: JSONName.self)
      try fields.encode("b", forKey: "a")
      var list = fields.nestedUnkeyedContainer(forKey: "list")
      try list.encode(1)
      throw Odd()
    }
  }

  private struct JSONName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
  }

  @Test("A type may go on after a value that has failed, which leaves nothing")
  func failedValuesLeaveNothing() throws {
    struct Tolerant: Encodable {
      func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: JSONName.self)
        try? fields.encode(Failing(), forKey: "x")
        try? fields.encode(Double.nan, forKey: "y")
        try fields.encode(1, forKey: "one")
        var list = fields.nestedUnkeyedContainer(forKey: "list")
        try? list.encode(Failing())
        try list.encode(2)
        try? list.encode(Float.infinity)
        #expect(list.count == 1)
        struct Single: Encodable {
          func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            try? single.encode(Failing())
            try single.encode("s")
          }
        }
        try fields.encode(Single(), forKey: "single")
      }
    }
    #expect(try text([Tolerant()]) == #"[{"one":1,"list":[2],"single":"s"}]"#)
    let error = #expect(throws: JSONError.self) { try JSON.encode(["a": [Failing()]]) }
    #expect(error?.path == "a[0]" && error?.underlying is Failing.Odd)
  }

  @Test func endlessValuesFail() {
    final class Node: Encodable {
      var next: Node?
    }
    let node = Node()
    node.next = node
    let error = #expect(throws: JSONError.self) { try JSON.encode(node) }
    #expect(error?.reason == "More than 512 values contain each other.")
    node.next = nil
  }
}
