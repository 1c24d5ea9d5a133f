import Foundation
import Runnel

private struct Author: Codable {
  var id: Int
  var name: String
  var email: String?
  var isActive: Bool
  var score: Double
}

private struct Item: Codable {
  var id: Int
  var title: String
  var tags: [String]
  var price: Double
  var author: Author
  var counts: [Int]
}

private struct Reply: Codable {
  var total: Int
  var next: String?
  var items: [Item]
}

extension Reply: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("total", total)
      json.field("next", next)
      json.array("items") { json in
        for item in items {
          json.object { json in
            json.field("id", item.id)
            json.field("title", item.title)
            json.field("tags", item.tags)
            json.field("price", item.price)
            json.object("author") { json in
              json.field("id", item.author.id)
              json.field("name", item.author.name)
              json.field("email", item.author.email)
              json.field("isActive", item.author.isActive)
              json.field("score", item.author.score)
            }
            json.field("counts", item.counts)
          }
        }
      }
    }
  }
}

private func item(_ number: Int) -> Item {
  let author = Author(
    id: number, name: "Anna Example", email: number == 1 ? nil : "anna@example.org",
    isActive: number % 2 == 0, score: 0.5 + Double(number))
  return Item(
    id: number + 1_000, title: "The title of item \(number), which is long enough",
    tags: ["red", "green", "blue"], price: 12.34 + Double(number), author: author,
    counts: [1, 22, 333, 4_444])
}

/// Measures a reply of 702 bytes beside Foundation.
func measureJSON(_ report: inout Report) {
  let reply = Reply(total: 3, next: "/items?page=2", items: (0..<3).map(item))
  let count = 100
  let sum = Sum()
  let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
  guard let text = try? JSON.encode(reply) else { fatalError("The reply cannot be encoded.") }
  let data = Data(text)
  func repeatedly(_ body: () throws -> Int) {
    for _ in 0..<count { sum.add((try? body()) ?? 0) }
  }
  func encode() { repeatedly { try encoder.encode(reply).count } }
  report.ratio(
    "a reply is encoded", per: count, baseline: encode,
    measured: { repeatedly { try JSON.encode(reply).count } })
  report.ratio(
    "a reply is written", per: count, baseline: encode,
    measured: { repeatedly { JSONWriter.bytes { $0.write(reply) }.count } })
  report.ratio(
    "a reply is decoded", per: count,
    baseline: { repeatedly { try decoder.decode(Reply.self, from: data).total } },
    measured: { repeatedly { try JSON.decode(Reply.self, from: text).total } })
}
