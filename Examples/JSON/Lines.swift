import Runnel

struct User: Codable {
  var id: Int
  var name: String
}

let lines = EventStream<String, Never>.sequence([
  #"{"id": 1, "name": "Ann"}"#, #"{"id": 2}"#, #"{"id": 3, "name": "Jim"}"#,
])
// Fails at the first line that cannot be decoded.
lines.decode(User.self).observe(next: { print($0.name) }, failed: { print($0) })
// Leaves such lines out.
lines.compactMap { try? JSON.decode(User.self, from: $0) }.observeNext { print($0.name) }

// Output:
// Ann
// line 1, column 1: "name" is missing.
// Ann
// Jim
