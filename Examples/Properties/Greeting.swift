import Runnel

let name = Property("Jim")
let greeting = name.map { "Hello, \($0)!" }
greeting.observeNext { print($0) }  // prints Hello, Jim!
name.value = "Ann"  // prints Hello, Ann!
print(greeting.value)  // Hello, Ann!

// Output:
// Hello, Jim!
// Hello, Ann!
// Hello, Ann!
