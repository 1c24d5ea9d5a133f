import Runnel

let numbers = EventStream<Int, Never>.sequence(1...4)
numbers.reduce(0) { count, _ in count + 1 }.observe(succeeded: { print($0) })

// Output:
// 4
