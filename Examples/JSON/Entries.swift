import Runnel

struct Entry: Codable {
  var id: Int
  var title: String
  var tags: [String] = []
}

let text = try JSON.encode(Entry(id: 7, title: "Milk"))  // [UInt8]; JSON.text(of:) returns a String
let entry = try JSON.decode(Entry.self, from: text)
print(entry.title)

// Output:
// Milk
