import Runnel

let names = CollectionProperty(["Bones", "Jim"])
names.observe { event in
  guard let changes = event.changes else { return print("\(event.collection.count) names") }
  print("in \(changes.inserts), out \(changes.deletes), updated \(changes.updates)")
  for move in changes.moves { print("moved \(move)") }
}
names.append("Christine")
names.batch {
  names.move(from: 2, to: 0)
  names[1] = "Leonard"
}

// Output:
// 2 names
// in [2], out [], updated []
// in [], out [], updated [0]
// moved 2→0
