import Runnel

let shelf = CollectionProperty(["Emma", "Dune", "It"])

let copy = CollectionProperty<[String]>()
let remote = copy.remote  // made where the copy lives
shelf.observe { event in
  remote.send { copy in
    guard let changes = event.changes else { return copy.replace(with: Array(event.collection)) }
    copy.apply(changes)
  }
}

shelf.append("Ulysses")
EventLoop.main.run(until: copy.observed.count.filter { $0 == 4 })
print(Array(copy))

// Output:
// ["Emma", "Dune", "It", "Ulysses"]
