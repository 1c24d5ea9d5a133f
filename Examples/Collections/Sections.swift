import Runnel

let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
library.observe { event in
  for items in event.changes?.items ?? [] { print("\(items.newSection): \(items.changes.inserts)") }
}
library.append("Dune", toSection: 0)

let shelf = CollectionProperty(["Emma", "Dune", "It"])
let byLength = shelf.sectioned { $0.count }
print(byLength.map { "\($0.header): \(Array($0.items))" })

// Output:
// 0: [1]
// ["2: [\"It\"]", "4: [\"Emma\", \"Dune\"]"]
