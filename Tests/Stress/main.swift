// Releases objects of every type with a confinement domain on another thread, while the main thread
// uses their streams. Scripts/stress runs this program under AddressSanitizer, which reports
// errors.
//
// Usage: Stress [SEED]
import Glibc

setenv("TERM", "xterm", 0)
let seed = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
printLine("seed \(seed)")
let race = Race(seed: seed)
var failures = 0

for scenario in subjectScenarios + collectionScenarios + loopScenarios {
  do {
    try race.run(
      hits: scenario.hits, limit: 1_000 * scenario.hits, spread: scenario.spread, scenario.make)
  } catch {
    printLine("\(scenario.name): \(error)")
    failures += 1
    continue
  }
  printLine("\(scenario.name): \(race.hits) hits in \(race.rounds) rounds")
  if race.hits < scenario.hits {
    printLine("\(scenario.name): the work of both threads overlapped in too few rounds")
    failures += 1
  }
}
exit(failures == 0 ? 0 : 1)

/// Prints a line without buffering, so that reports of the sanitizer follow it.
func printLine(_ text: String) {
  let line = text + "\n"
  _ = write(STDOUT_FILENO, line, line.utf8.count)
}
