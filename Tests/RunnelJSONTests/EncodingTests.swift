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

  /// The text of a nested container is at its place, whenever it is written.
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
    #expect(error.map { "\($0)" } == "posts[0].ratios[1]: JSON cannot express inf.")
    enum Payload: Encodable {
      case failing(Failing)
    }
    let inner = #expect(throws: JSONError.self) {
      try JSON.encode(["a": Payload.failing(Failing())])
    }
    #expect(inner?.path == "a.failing._0")
  }

  @Test func aValueThatEncodesNothingIsAnEmptyObject() throws {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    #expect(try text([Nothing()]) == "[{}]")
    #expect(try text(Nothing()) == "{}")
  }

  @Test func depthIsCountedAsInReading() throws {
    let limits = JSONLimits(depth: 2)
    #expect(try JSON.text(of: [[UInt8(1)]], within: limits) == "[[1]]")
    #expect(try JSON.text(of: [[Int?.some(1), nil]], within: limits) == "[[1,null]]")
    #expect(throws: JSONError.self) { try JSON.text(of: [[[UInt8(1)]]], within: limits) }
    struct Nested: Encodable {
      let count: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var containers: [any UnkeyedEncodingContainer] = []
        for _ in 1..<count {
          containers.append(container)
          container = container.nestedUnkeyedContainer()
        }
        try container.encode(7)
      }
    }
    #expect(try JSON.text(of: Nested(count: 2), within: limits) == "[[7]]")
    for count in [3, 20_000] {
      #expect(throws: JSONError.self) { try JSON.text(of: Nested(count: count), within: limits) }
    }
    var value = JSONValue.integer(1)
    for _ in 0..<512 { value = [value] }
    #expect(try JSON.decode(JSONValue.self, from: JSON.encode(value)) == value)
    #expect(throws: JSONError.self) { try JSON.encode([value]) }
  }

  @Test("A misused container is an error")
  func misuseIsAnError() {
    struct Kept: Encodable {
      final class Inner: Encodable {
        var use: () throws -> Void = {}
        func encode(to encoder: any Encoder) throws {
          try use()
          var container = encoder.singleValueContainer()
          try container.encode(1)
        }
      }
      let kind: Int
      func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: JSONName.self)
        switch kind {
        case 0:
          let inner = Inner()
          var other = fields
          inner.use = { try other.encode(1, forKey: "a") }
          try fields.encode(inner, forKey: "inner")
        case 1:
          var elements = encoder.unkeyedContainer()
          try elements.encode(1)
          _ = elements.nestedContainer(keyedBy: JSONName.self)
        default:
          var single = encoder.singleValueContainer()
          try single.encode(1)
        }
        try fields.encode(2, forKey: "b")
      }
    }
    for kind in 0..<3 {
      let error = #expect(throws: JSONError.self) { try JSON.encode([Kept(kind: kind)]) }
      #expect(error?.reason.contains("container") == true)
    }
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
    #expect(error?.reason == "There are more than 512 levels of arrays and objects.")
    node.next = nil
    struct Endless: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    #expect(throws: JSONError.self) { try JSON.encode(Endless()) }
  }
}
