import Runnel
import RunnelTesting

let shelf = CollectionProperty(["Emma", "It"])
let validator = ListValidator(shelf)
shelf.append("Dune")
print("\(validator.problems.count) problems")

// Output:
// 0 problems
