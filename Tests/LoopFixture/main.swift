// A program for the tests of loops: each command is one that needs a main thread of its own, or
// that ends the process. It says what happens on its standard output, one line at a time.
import Glibc

let commands: [String: @MainActor () -> Void] = [
  "activation": sayWhatWasPassed,
  "blocked": blockTheMainThreadDuringShutdown,
  "brokenPipe": writeToABrokenPipe,
  "failing": failDuringSetup,
  "fairness": yieldForEver,
  "hanging": hangDuringShutdown,
  "ignoring": hangThoughInterruptsWereIgnored,
  "late": hangBeyondTheDeadline,
  "limited": hangBeyondALimit,
  "nested": runWithinACallback,
  "offMain": runOffTheMainThread,
  "neverSetUp": neverReturnFromSetup,
  "progress": doEverythingTogether,
  "rerun": runAgainAndAgain,
  "saving": saveForEver,
  "service": serve,
  "sharing": hangBeyondAShare,
  "signals": listenToSignals,
  "starved": runWithoutMoreDescriptors,
  "starting": neverFinishSetup,
  "stopped": stopTheLoop,
  "talking": talkForEver,
  "talkingService": serveAndTalkForEver,
  "updating": updateForEver,
]

// Whoever starts the tests may ignore it, which processes inherit.
signal(SIGINT, SIG_DFL)
let name = CommandLine.arguments.dropFirst().first ?? ""
guard let command = commands[name] else {
  say("No such command: \(name). There are \(commands.keys.sorted().joined(separator: ", ")).")
  exit(64)
}
command()
