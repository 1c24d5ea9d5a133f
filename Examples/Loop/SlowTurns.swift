import Glibc
import Runnel

EventLoop.main.reportSlowTurns(after: .milliseconds(100))

Hooks.slowTurn = { _ in  // by default, a warning with the stack is logged
  print("Something takes long.")
  exit(0)
}
EventLoop.main.execute {
  while true {}  // blocks the loop
}
EventLoop.main.run()

// Output:
// Something takes long.
