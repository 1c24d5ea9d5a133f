import Runnel

EventStream<Int, Never>.just(1).observeNext { print($0) }
EventStream<Int, Never>.sequence(1...3).map { $0 * $0 }.observeNext { print($0) }

let ticks = EventStream<Int, Never>.interval(.milliseconds(20))  // 0, 1, … every 20 ms
ticks.take(3).observeNext { print("tick \($0)") }
EventLoop.main.run(until: ticks.skip(3))  // timers need a loop that runs

// Output:
// 1
// 1
// 4
// 9
// tick 0
// tick 1
// tick 2
