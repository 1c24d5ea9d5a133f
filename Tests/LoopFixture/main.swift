// A program for the tests of loops. Each command needs a main thread, or ends the process. The
// program prints its events to the standard output, one per line.
import Glibc

let commands: [String: @MainActor () -> Void] = [
  "activation": printPassedDescriptors,
  "blocked": blockMainThreadDuringShutdown,
  "brokenPipe": writeToBrokenPipe,
  "failing": failDuringSetup,
  "fairness": yieldForever,
  "hanging": hangDuringShutdown,
  "ignoring": hangWithIgnoredInterrupts,
  "late": exceedDeadline,
  "limited": exceedLimit,
  "nested": runInsideCallback,
  "offMain": runOnOtherThread,
  "neverSetUp": ignoreCancellationInSetup,
  "progress": makeProgressTogether,
  "rerun": runRepeatedly,
  "saving": saveForever,
  "service": serve,
  "failing-reload": failToReload,
  "sharing": exceedShare,
  "signals": observeSignals,
  "starved": runWithoutMoreDescriptors,
  "starting": neverFinishSetup,
  "stopped": stopLoop,
  "storing": storeForever,
  "supervising": superviseForever,
  "talking": printForever,
  "talkingService": serveAndPrintForever,
  "updating": updateForever,
]

// The parent process may ignore the signal, and child processes inherit that.
signal(SIGINT, SIG_DFL)
let name = CommandLine.arguments.dropFirst().first ?? ""
guard let command = commands[name] else {
  let names = commands.keys.sorted().joined(separator: ", ")
  printLine("Unknown command: \(name). The commands are \(names).")
  exit(64)
}
command()
