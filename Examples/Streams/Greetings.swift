import Runnel

let names = PushStream<String>()
let greetings = names.filter { !$0.isEmpty }.map { "Hello, \($0)!" }
let observation = greetings.observeNext { print($0) }
names.next("Ann")  // prints Hello, Ann!
observation.dispose()
names.next("Bob")  // prints nothing

// Output:
// Hello, Ann!
