import Runnel

let shelf = CollectionProperty(["Emma", "Dune", "It", "Dracula"])
let search = Property("")
let found =
  shelf
  .filter(by: search.map { text in { $0.hasPrefix(text) } })
  .sorted { $0.count > $1.count }
  .map { $0.uppercased() }
found.observe { print(Array($0.collection)) }
search.value = "D"

// Output:
// ["DRACULA", "EMMA", "DUNE", "IT"]
// ["DRACULA", "DUNE"]
