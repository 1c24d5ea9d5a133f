import RunnelJSON
import RunnelStreams
import Testing

@Suite struct DecodingTests {
  private struct Post: Codable, Equatable {
    var id: Int
    var title: String
    var note: String?
    var tags: [String] = []
  }

  private func failure<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
    do throws(JSONError) {
      return "\(try JSON.decode(type, from: text))"
    } catch {
      return "\(error)"
    }
  }

  @Test("Fields may have any order, and unknown ones are ignored")
  func ordersOfFields() throws {
    let post = Post(id: 7, title: "a", note: nil, tags: ["x", "y"])
    for text in [
      #"{"id":7,"title":"a","tags":["x","y"]}"#,
      #"{"tags":["x","y"],"extra":{"id":1,"title":[{}]},"title":"a","id":7}"#,
      #" { "title" : "a" , "note" : null , "id" : 7 , "tags" : [ "x" , "y" ] } "#,
      #"{"\u0069d":7,"tit\u006ce":"a","tags":["x","y"]}"#,
    ] {
      #expect(try JSON.decode(Post.self, from: text) == post)
    }
  }

  @Test("The last of several fields with one name counts", arguments: [0, 5, 40])
  func repeatedNames(_ others: Int) throws {
    let more = (0..<others).map { #""x\#($0)":0,"# }.joined()
    for text in [
      #"{"id":1,"title":"a",\#(more)"id":2,"tags":[]}"#,
      #"{\#(more)"id":1,"id":2,"title":"a","tags":[]}"#,
      #"{"id":1,\#(more)"title":"b","\u0069d":2,"title":"a","tags":[]}"#,
    ] {
      #expect(try JSON.decode(Post.self, from: text) == Post(id: 2, title: "a"))
    }
    let fields = try JSON.decode([String: Int].self, from: #"{"a":1,\#(more)"b":2,"a":3}"#)
    #expect(fields["a"] == 3 && fields["b"] == 2 && fields.count == others + 2)
  }

  @Test("Names that look alike are different fields")
  func namesAreCompared() throws {
    let fields = try JSON.decode([String: Int].self, from: #"{"a":1,"A":2,"ab":3,"":4}"#)
    #expect(fields == ["a": 1, "A": 2, "ab": 3, "": 4])
  }

  @Test(arguments: [
    (#"{"id":7}"#, #"line 1, column 1: "title" is missing."#),
    (#"{"id":"7","title":""}"#, "id (line 1, column 7): An integer is expected, not a string."),
    (#"{"id":7,"title":null}"#, "title (line 1, column 17): A string is expected, not null."),
    (
      "{\"id\":7,\"title\":\"é\",\n \"tags\":[\"a\", 5]}",
      "tags[1] (line 2, column 15): A string is expected, not a number."
    ),
    ("[1]", "line 1, column 1: An object is expected, not an array."),
    (#"{"id":7.5}"#, "id (line 1, column 7): 7.5 is not a value of Int."),
    (#"{"id":7,}"#, "line 1, column 9: A name in quotes is expected."),
    ("", "line 1, column 1: The text is empty."),
  ]) func errorsTellThePlace(_ text: String, _ error: String) {
    #expect(failure(Post.self, text) == error)
  }

  @Test("Elements that fail can be decoded as another type")
  func elementsAreTriedAgain() throws {
    struct Mixed: Decodable {
      var texts: [String] = []
      init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        #expect(elements.count == 3)
        while !elements.isAtEnd {
          if try elements.decodeNil() {
            texts.append("null")
          } else if let number = try? elements.decode(Int.self) {
            texts.append("\(number)")
          } else {
            texts.append(try elements.decode(String.self))
          }
        }
        #expect(elements.currentIndex == 3)
      }
    }
    #expect(try JSON.decode(Mixed.self, from: #"["a", 1, null]"#).texts == ["a", "1", "null"])
  }

  @Test func customErrorsArePassedOn() {
    struct Odd: Error {}
    struct Failing: Decodable {
      init(from decoder: any Decoder) throws { throw Odd() }
    }
    let error = #expect(throws: JSONError.self) { try JSON.decode(Failing.self, from: "1") }
    #expect(error?.underlying is Odd)
  }

  @Test("A decoder may outlive the call")
  func decodersOutliveTheCall() throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    let kept = try JSON.decode([String: Kept].self, from: #"{"a":[1,2,3]}"#)["a"]
    #expect(try kept.map { try [Int](from: $0.decoder) } == [1, 2, 3])
    #expect(kept?.decoder.codingPath.map(\.stringValue) == ["a"])
  }

  @Test("An error of a decoder of another text has no place in this one")
  func decodersOfOtherTexts() throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    let long = "[\(String(repeating: "1,", count: 10_000))1]"
    let kept = try #require(try JSON.decode([Kept].self, from: long).last)
    struct Other: Decodable {
      static let decoder = Monitor<(any Decoder)?>(nil)
      init(from decoder: any Decoder) throws {
        guard let other = Self.decoder.withLock({ $0 }) else { return }
        _ = try String(from: other)
      }
    }
    Other.decoder.withLock { $0 = kept.decoder }
    let error = #expect(throws: JSONError.self) { try JSON.decode([Other].self, from: "[7]") }
    #expect(error?.place?.offset == 0 || error?.place?.offset == 1)
    Other.decoder.withLock { $0 = nil }
  }

  @Test("An error of a type has the path and the place of the innermost value")
  func customErrorsHaveAPlace() {
    struct Odd: Error {}
    struct Failing: Decodable {
      init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decode(Int.self) > 1 { throw Odd() }
      }
    }
    let error = #expect(throws: JSONError.self) {
      try JSON.decode([String: [Failing]].self, from: #"{"a":[1],"b c":[0,2]}"#)
    }
    #expect(error?.path == #"["b c"][1]"# && error?.place?.offset == 18)
    #expect(error?.underlying is Odd)
    struct Caused: Decodable {
      init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "bad", underlyingError: Odd()))
      }
    }
    let caused = #expect(throws: JSONError.self) { try JSON.decode([Caused].self, from: "[1]") }
    #expect(caused?.underlying is Odd && caused?.path == "[0]" && caused?.place?.offset == 1)
  }

  @Test("Each name occurs once in the keys of an object", arguments: [0, 40])
  func keysAreUnique(_ others: Int) throws {
    struct Keys: Decodable {
      let values: [String: Int]
      init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Name.self)
        #expect(fields.allKeys.count == Set(fields.allKeys.map(\.stringValue)).count)
        values = try Dictionary(
          uniqueKeysWithValues: fields.allKeys.map {
            ($0.stringValue, try fields.decode(Int.self, forKey: $0))
          })
      }
    }
    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    let more = (0..<others).map { #""x\#($0)":0,"# }.joined()
    let values = try JSON.decode(Keys.self, from: #"{"a":1,\#(more)"b":2,"\u0061":3}"#).values
    #expect(values["a"] == 3 && values["b"] == 2 && values.count == others + 2)
  }

  @Test("Objects with many fields are read in any order")
  func manyFields() throws {
    let names = (0..<50).map { "field\($0)" }
    for order in [names, names.reversed(), names.shuffled()] {
      let text = "{\(order.map { #""\#($0)":\#($0.dropFirst(5))"# }.joined(separator: ","))}"
      let fields = try JSON.decode([String: Int].self, from: text)
      #expect(fields.count == 50 && fields.allSatisfy { $0.key == "field\($0.value)" })
      #expect(failure(Post.self, text) == #"line 1, column 1: "id" is missing."#)
    }
  }

  @Test func enumsSubclassesAndNestedContainersAreDecoded() throws {
    enum Shape: Codable, Equatable {
      case circle(radius: Int)
      case none
    }
    let shapes: [Shape] = [.circle(radius: 2), .none]
    #expect(try JSON.text(of: shapes) == #"[{"circle":{"radius":2}},{"none":{}}]"#)
    #expect(try JSON.decode([Shape].self, from: JSON.encode(shapes)) == shapes)

    struct Flat: Decodable {
      enum Key: String, CodingKey { case outer, inner, list }
      var inner = 0, sum = 0, count = 0
      init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        inner = try fields.nestedContainer(keyedBy: Key.self, forKey: .outer)
          .decode(Int.self, forKey: .inner)
        var list = try fields.nestedUnkeyedContainer(forKey: .list)
        count = list.count ?? 0
        while !list.isAtEnd { sum += try list.decode(Int.self) }
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        #expect(throws: DecodingError.self) { try list.decodeNil() }
        let key = try #require(CodingUserInfoKey(rawValue: "limit"))
        #expect(decoder.userInfo[key] as? Int == 7)
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "limit"))
    let flat = try JSON.decode(
      Flat.self, from: #"{"outer":{"inner":4},"list":[1,2,3]}"#, userInfo: [key: 7])
    #expect(flat.inner == 4 && flat.sum == 6 && flat.count == 3)

    class Base: Codable { var id = 1 }
    final class Derived: Base {
      var name = "x"
      private enum Key: String, CodingKey { case name }
      override init() { super.init() }
      required init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        name = try fields.decode(String.self, forKey: .name)
        try super.init(from: fields.superDecoder())
      }
      override func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name, forKey: .name)
        try super.encode(to: fields.superEncoder())
      }
    }
    let derived = try JSON.decode(Derived.self, from: #"{"super":{"id":9},"name":"y"}"#)
    #expect(derived.id == 9 && derived.name == "y")
    #expect(try JSON.text(of: derived) == #"{"name":"y","super":{"id":9}}"#)
  }

  /// The paths of the errors that this type swallows once took quadratic time.
  @Test("Elements of two types take linear time")
  func elementsOfTwoTypes() throws {
    enum Mixed: Decodable {
      case number(Int)
      case text(String)
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          self = .number(number)
        } else {
          self = .text(try container.decode(String.self))
        }
        _ = decoder.codingPath.count
      }
    }
    let text = "[\(String(repeating: #""a","#, count: 20_000))1]"
    #expect(try JSON.decode([Mixed].self, from: text).count == 20_001)
    struct Counted: Decodable {
      init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        while elements.currentIndex < elements.count ?? 0 { _ = try elements.decode(String?.self) }
      }
    }
    let list = "[\(String(repeating: "null,", count: 20_000))null]"
    _ = try JSON.decode(Counted.self, from: list)
  }

  @Test func depthAndSizeAreLimited() {
    let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
    #expect(failure(JSONValue.self, deep).contains("The text has more than 512 levels"))
    var limits = JSONLimits(depth: 2)
    #expect(throws: Never.self) { try JSON.decode(JSONValue.self, from: "[[1]]", within: limits) }
    #expect(throws: JSONError.self) {
      try JSON.decode(JSONValue.self, from: "[[[]]]", within: limits)
    }
    limits = JSONLimits(size: 4)
    #expect(throws: Never.self) { try JSON.decode(JSONValue.self, from: "[12]", within: limits) }
    #expect(throws: JSONError.self) {
      try JSON.decode(JSONValue.self, from: "[123]", within: limits)
    }
    #expect(throws: Never.self) { try JSON.encode("12", within: limits) }
    #expect(throws: JSONError.self) { try JSON.encode("123", within: limits) }
    #expect(throws: JSONError.self) {
      try JSON.decode(Int.self, from: "1", within: JSONLimits(size: -1))
    }
  }
}
