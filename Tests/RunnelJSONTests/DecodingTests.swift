import RunnelJSON
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

  @Test func depthAndSizeAreLimited() {
    let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
    #expect(failure(JSONValue.self, deep).contains("More than 512 arrays and objects"))
    var limits = JSONLimits()
    limits.depth = 2
    #expect(throws: Never.self) { try JSON.decode(JSONValue.self, from: "[[1]]", within: limits) }
    #expect(throws: JSONError.self) {
      try JSON.decode(JSONValue.self, from: "[[[]]]", within: limits)
    }
    limits.size = 4
    #expect(throws: Never.self) { try JSON.decode(JSONValue.self, from: "[12]", within: limits) }
    #expect(throws: JSONError.self) {
      try JSON.decode(JSONValue.self, from: "[123]", within: limits)
    }
  }
}
