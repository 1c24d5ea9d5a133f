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

checkLargeTexts()
