// Releases objects of every type that belongs to a domain on another thread, while the main thread
// uses what belongs to them. Scripts/stress runs it under AddressSanitizer, which reports what goes
// wrong.
//
// Usage: ReleaseFixture [SEED]
import Glibc

setenv("TERM", "xterm", 0)
let seed = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
say("seed \(seed)")
let race = Race(seed: seed)
var failures = 0

for scenario in subjectScenarios + collectionScenarios + loopScenarios {
  do {
    try race.run(
      hits: scenario.hits, limit: 100 * scenario.hits, spread: scenario.spread, scenario.make)
  } catch {
    say("\(scenario.name): \(error)")
    failures += 1
    continue
  }
  say("\(scenario.name): \(race.hits) hits in \(race.rounds) rounds")
  if race.hits < scenario.hits {
    say("\(scenario.name): too few rounds in which both threads worked at a time")
    failures += 1
  }
}
exit(failures == 0 ? 0 : 1)

/// Prints a line at once: what the sanitizer reports then comes after it.
func say(_ text: String) {
  let line = text + "\n"
  _ = write(STDOUT_FILENO, line, line.utf8.count)
}
