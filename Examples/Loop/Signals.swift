import Glibc
import Runnel

EventLoop.main.signals(.user1).observeNext { signal in print(signal) }
let ticks = EventStream<Int, Never>.interval(.milliseconds(20))
ticks.take(3).observeNext { tick in
  print(tick)
  if tick == 0 { kill(getpid(), SIGUSR1) }
}
EventLoop.main.run(until: ticks.skip(3))

// Output:
// 0
// SIGUSR1
// 1
// 2
