import RunnelJSON
import Testing

@Suite struct ValueTests {
  @Test func valuesOfAnyFormAreRead() throws {
    let value = try JSON.decode(
      JSONValue.self, from: #"{"a":[1,2.5,"x",null,true,{}],"big":18446744073709551616,"a2":-0}"#)
    #expect(value["a"]?[0] == 1 && value["a"]?[1] == 2.5 && value["a"]?[2] == "x")
    #expect(value["a"]?[3] == .null && value["a"]?[4] == true && value["a"]?[5] == [:])
    #expect(value["a"]?[6] == nil && value["a"]?[-1] == nil && value["b"] == nil)
    #expect(value[0] == nil && value["a"]?["b"] == nil)
    #expect(value["big"] == .number(18_446_744_073_709_551_616) && value["a2"] == .integer(0))
  }

  @Test func literalsAreValues() throws {
    let value: JSONValue = ["id": 7, "ratio": 0.5, "tags": ["a", nil, false]]
    let read = try JSON.decode(JSONValue.self, from: JSON.encode(value))
    #expect(read == value && read.hashValue == value.hashValue)
    let repeated: JSONValue = ["a": 1, "a": 2]
    #expect(repeated == ["a": 2])
  }

  @Test func partsAreRead() {
    let value: JSONValue = ["s": "x", "i": 7, "d": 2.0, "f": 0.5, "b": true, "l": [1], "n": nil]
    #expect(value["s"]?.string == "x" && value["i"]?.int == 7 && value["d"]?.int == 2)
    #expect(value["f"]?.int == nil && value["f"]?.double == 0.5 && value["i"]?.double == 7)
    #expect(value["b"]?.bool == true && value["l"]?.array == [1] && value.object?.count == 7)
    #expect(value["s"]?.int == nil && value["i"]?.string == nil && value["s"]?.double == nil)
    #expect(value["n"]?.bool == nil && value.array == nil && value["l"]?.object == nil)
    #expect(
      "\(value)" == #"{"b":true,"d":2.0,"f":0.5,"i":7,"l":[1],"n":null,"s":"x"}"#)
  }

  @Test("Numbers are compared by their values")
  func numbersAreCompared() {
    #expect(JSONValue.integer(1) == .number(1) && JSONValue.number(1) == .integer(1))
    #expect(Set<JSONValue>([1, 1.0, 2, 2.5, 0, -0.0]).count == 4)
    #expect(JSONValue.integer(.max) != .number(9_223_372_036_854_775_808))
    #expect(JSONValue.integer(1) != .bool(true) && JSONValue.string("1") != 1)
  }

  @Test("A decoder of another library can read each form")
  func otherDecoders() throws {
    for text in [#"{"a":1}"#, "[1,2.5]", "null", "true", "7", "0.5", #""x""#] {
      let value = try JSON.decode(JSONValue.self, from: text)
      #expect(try JSON.decode(Foreign.self, from: text).value == value)
    }
  }

  /// Reads a value through a decoder of another type.
  private struct Foreign: Decodable {
    let value: JSONValue
    init(from decoder: any Decoder) throws { value = try JSONValue(from: Wrapper(decoder)) }
  }

  private struct Wrapper: Decoder {
    private let decoder: any Decoder
    init(_ decoder: any Decoder) { self.decoder = decoder }
    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      try decoder.container(keyedBy: type)
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try decoder.unkeyedContainer()
    }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
      try decoder.singleValueContainer()
    }
  }
}
