import Checking
import Glibc
import Runnel

struct Author: Codable, Equatable {
  var name: String
  var score: Double?
}

struct Item: Codable, Equatable {
  var id: Int
  var title: String
  var tags: [String]
  var author: Author
}

let item = Item(
  id: 7, title: "é \"q\"\n", tags: ["a", "b"], author: Author(name: "Anna", score: 0.1))
let text = try JSON.encode([item])
checkEqual(
  String(decoding: text, as: UTF8.self),
  #"[{"id":7,"title":"é \"q\"\n","tags":["a","b"],"author":{"name":"Anna","score":0.1}}]"#)
checkEqual(try JSON.decode([Item].self, from: text), [item])
do throws(JSONError) {
  _ = try JSON.decode([Item].self, from: #"[{"id":1,"title":2}]"#)
  check(false)
} catch {
  checkEqual("\(error)", "[0].title (line 1, column 18): A string is expected, not a number.")
}

// A text of 100 MB, on a stack of 128 KiB.
let itemText = JSONWriter.text { json in
  json.object { json in
    json.field("id", 1)
    json.field("title", "A title of a usual length")
    json.field("tags", ["red", "green", "blue"])
    json.object("author") { json in json.field("name", "Anna Example") }
  }
}
let count = 100_000_000 / (itemText.utf8.count + 1)
let bytes = Array(("[" + String(repeating: itemText + ",", count: count) + itemText + "]").utf8)
let deep = Array(repeating: UInt8(ascii: "["), count: 5_000_000)

var attributes = pthread_attr_t()
pthread_attr_init(&attributes)
check(pthread_attr_setstacksize(&attributes, 128 << 10) == 0)
var thread = pthread_t()
let started = pthread_create(
  &thread, &attributes,
  { _ in
    do {
      checkEqual(try JSON.decode([Item].self, from: bytes).count, count + 1)
      let limits = JSONLimits(depth: .max)
      _ = try JSON.decode([Item].self, from: deep, within: limits)
      check(false)
    } catch {
      checkEqual("\(error)", "line 1, column 5000001: The text ends too early.")
    }
    return nil
  }, nil)
check(started == 0)
pthread_join(thread, nil)
