// A program for the tests of the terminal: it shows what it hears, and calls the window by the last of
// it, so that a test knows when all before is shown. Some keys make it die in some way.
//
// Usage: TerminalFixture [desk] [TERMINAL]; "desk" shows an application. For another terminal than its own
// it says what it hears on its standard output too. ROUNDS in the environment is how often it opens the
// terminal.
import Glibc
import RunnelDesk
import RunnelLoop
import RunnelTerminal

// Whoever starts the tests may ignore these, which processes inherit.
for number in [SIGINT, SIGQUIT, SIGTSTP] { signal(number, SIG_DFL) }

do {
  let path = CommandLine.arguments.dropFirst().first { $0 != "desk" }
  if CommandLine.arguments.contains("desk") {
    try runDesk(on: path)
    exit(0)
  }
  let rounds = getenv("ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1
  for round in 1...rounds {
    let terminal = try path.map { try Terminal(path: $0, on: .main) } ?? Terminal(on: .main)
    let display = Display(terminal, says: path != nil)
    display.show(round == 1 ? "ready \(getpid())" : "again \(getpid())")
    EventLoop.main.run(until: display.end)
    print("closed")
  }
} catch {
  print("\(error)")
  exit(1)
}
