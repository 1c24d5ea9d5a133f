import RunnelJSON
import Testing

/// Types that ask coders for their containers themselves.
@Suite struct ContainerTests {
  /// The least or the largest number of each type.
  private struct Numbers: Codable, Equatable {
    var bytes: [Int8] = [.min]
    var (tiny, small, medium, large, huge) = (Int8.min, Int16.min, Int32.min, Int64.min, Int128.min)
    var (natural, byte, short, long) = (UInt.max, UInt8.max, UInt16.max, UInt32.max)
    var (longer, longest) = (UInt64.max, UInt128.max)
    var (plain, float, double, isKnown, name) = (Int.min, Float(0.1), 0.1, true, "é")
    var nothing: Int?
  }

  /// The same numbers as elements of an array.
  private struct Row: Codable, Equatable {
    var numbers = Numbers()

    init() {}

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      numbers.tiny = try row.decode(Int8.self)
      numbers.small = try row.decode(Int16.self)
      numbers.medium = try row.decode(Int32.self)
      numbers.large = try row.decode(Int64.self)
      numbers.huge = try row.decode(Int128.self)
      numbers.natural = try row.decode(UInt.self)
      numbers.byte = try row.decode(UInt8.self)
      numbers.short = try row.decode(UInt16.self)
      numbers.long = try row.decode(UInt32.self)
      numbers.longer = try row.decode(UInt64.self)
      numbers.longest = try row.decode(UInt128.self)
      numbers.plain = try row.decode(Int.self)
      numbers.float = try row.decode(Float.self)
      numbers.double = try row.decode(Double.self)
      numbers.isKnown = try row.decode(Bool.self)
      numbers.name = try row.decode(String.self)
      guard try row.decodeNil(), row.isAtEnd, row.currentIndex == 17, row.count == 17 else {
        throw DecodingError.dataCorruptedError(in: row, debugDescription: "The end is missing.")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var row = encoder.unkeyedContainer()
      try row.encode(numbers.tiny)
      try row.encode(numbers.small)
      try row.encode(numbers.medium)
      try row.encode(numbers.large)
      try row.encode(numbers.huge)
      try row.encode(numbers.natural)
      try row.encode(numbers.byte)
      try row.encode(numbers.short)
      try row.encode(numbers.long)
      try row.encode(numbers.longer)
      try row.encode(numbers.longest)
      try row.encode(numbers.plain)
      try row.encode(numbers.float)
      try row.encode(numbers.double)
      try row.encode(numbers.isKnown)
      try row.encode(numbers.name)
      try row.encodeNil()
    }
  }

  @Test func numbersOfEachTypeAreKeptInObjects() throws {
    let text = try JSON.encode(Numbers())
    #expect(try JSON.decode(Numbers.self, from: text) == Numbers())
  }

  @Test func numbersOfEachTypeAreKeptInArrays() throws {
    let text = try JSON.encode(Row())
    #expect(try JSON.decode(Row.self, from: text) == Row())
    #expect(throws: JSONError.self) { try JSON.decode(Row.self, from: "[-128]") }
  }

  /// A value that is alone, as the compiler's code for enums with raw values does it.
  private struct Alone<Value: Codable & Equatable>: Codable, Equatable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Value.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private func isKept<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
    let text = try JSON.encode([Alone(value)])
    return try JSON.decode([Alone<Value>].self, from: text) == [Alone(value)]
  }

  @Test func numbersOfEachTypeAreKeptAlone() throws {
    #expect(try isKept(Int8.min) && isKept(Int16.min) && isKept(Int32.min) && isKept(Int64.min))
    #expect(try isKept(Int128.min) && isKept(UInt128.max) && isKept(UInt.max))
    #expect(try isKept(UInt8.max) && isKept(UInt16.max) && isKept(UInt32.max) && isKept(UInt64.max))
    #expect(try isKept(Int.min) && isKept(Float(0.1)) && isKept(0.1) && isKept(true) && isKept("é"))
  }

  /// Containers in containers, as a type writes them that has another form as JSON.
  private struct Place: Codable, Equatable {
    var name = "Rome"
    var position = [41.9, 12.5]
    var inhabitants = ["men": 1, "women": 2]

    init() {}

    private enum Key: CodingKey { case name, at, details }
    private enum Detail: CodingKey { case people, list }

    init(from decoder: any Decoder) throws {
      let place = try decoder.container(keyedBy: Key.self)
      name = try place.decode(String.self, forKey: .name)
      var at = try place.nestedUnkeyedContainer(forKey: .at)
      var inner = try at.nestedUnkeyedContainer()
      position = [try inner.decode(Double.self), try inner.decode(Double.self)]
      let details = try place.nestedContainer(keyedBy: Detail.self, forKey: .details)
      inhabitants = try [String: Int](from: details.superDecoder(forKey: .people))
      var list = try details.nestedUnkeyedContainer(forKey: .list)
      let first = try list.nestedContainer(keyedBy: Key.self)
      guard try first.decode(String.self, forKey: .name) == name,
        try [Double](from: list.superDecoder()) == position
      else { throw DecodingError.dataCorruptedError(in: list, debugDescription: "It differs.") }
    }

    func encode(to encoder: any Encoder) throws {
      var place = encoder.container(keyedBy: Key.self)
      try place.encode(name, forKey: .name)
      var at = place.nestedUnkeyedContainer(forKey: .at)
      var inner = at.nestedUnkeyedContainer()
      for number in position { try inner.encode(number) }
      var details = place.nestedContainer(keyedBy: Detail.self, forKey: .details)
      try inhabitants.encode(to: details.superEncoder(forKey: .people))
      var list = details.nestedUnkeyedContainer(forKey: .list)
      var first = list.nestedContainer(keyedBy: Key.self)
      try first.encode(name, forKey: .name)
      try position.encode(to: list.superEncoder())
    }
  }

  @Test func containersInContainersAreKept() throws {
    let text = try JSON.encode(Place())
    #expect(try JSON.decode(Place.self, from: text) == Place())
    for (wrong, right) in [("[[", "[{"), (#""Rome""#, "null"), ("41.9", "true")] {
      let damaged = String(decoding: text, as: UTF8.self).replacing(wrong, with: right)
      #expect(damaged != String(decoding: text, as: UTF8.self))
      #expect(throws: JSONError.self) { try JSON.decode(Place.self, from: damaged) }
    }
  }
}
