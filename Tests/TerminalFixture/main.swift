// A program for the tests of the terminal. It shows each event that it receives, and sets the
// window title to the last one, so that a test can wait for it. Some keys make it crash.
//
// Usage: TerminalFixture [desk | plain] [TERMINAL]. With "desk" it shows an application, and with
// "plain" it does so as lines. With a TERMINAL it also prints the events to standard output. The environment variable ROUNDS is the number of times
// that it opens the terminal.
import Glibc
import RunnelDesk
import RunnelLoop
import RunnelTerminal

// The parent process may ignore these signals, and child processes inherit that.
for number in [SIGINT, SIGQUIT, SIGTSTP] { signal(number, SIG_DFL) }

do {
  let path = CommandLine.arguments.dropFirst().first { !["desk", "plain"].contains($0) }
  let isPlain = CommandLine.arguments.contains("plain")
  if isPlain || CommandLine.arguments.contains("desk") {
    try runDesk(on: path, plain: isPlain)
    exit(0)
  }
  let rounds = getenv("ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1
  for round in 1...rounds {
    let terminal = try path.map { try Terminal(path: $0, on: .main) } ?? Terminal(on: .main)
    let display = Display(terminal, printsEvents: path != nil)
    display.show(round == 1 ? "ready \(getpid())" : "again \(getpid())")
    EventLoop.main.run(until: display.end)
    print("closed")
  }
} catch {
  print("\(error)")
  exit(1)
}
