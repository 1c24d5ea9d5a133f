import Glibc
import Runnel

EventLoop.main.reportSlowTurns(after: .milliseconds(100))

Hooks.slowTurn = { _ in print("Something takes long.") }  // by default, a warning is logged
EventLoop.main.execute {
  let start = ContinuousClock.now
  while start.duration(to: .now) < .milliseconds(400) {}  // blocks the loop
}
EventLoop.main.run(for: .milliseconds(1))

// Output:
// Something takes long.
