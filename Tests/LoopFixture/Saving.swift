import RunnelFiles
import RunnelLoop

/// Saves a file with one version after the other, as fast as it can, and says the number of each when
/// it is saved. A version is its number in many lines, more of them each time, and then fewer again.
@MainActor func saveForEver() {
  let file = SafeFile(CommandLine.arguments[2])
  do throws(FileError) {
    var old = try file.contents().bytes
    var number = Int(CommandLine.arguments[3]) ?? 0
    while true {
      number += 1
      let lines = 1 + number * 397 % 4_000
      let new = Array(String(repeating: "\(number)\n", count: lines).utf8) + Array("\(lines)".utf8)
      let outcome = try file.save(new, over: old)
      say(outcome == .saved ? "\(number)" : "\(outcome)")
      old = new
    }
  } catch {
    say("\(error)")
  }
}

/// Adds one line after the other to a file, as fast as it can, and says how many.
@MainActor func updateForEver() {
  let file = SafeFile(CommandLine.arguments[2])
  do throws(FileError) {
    var number = 0
    while true {
      number += 1
      try file.update { $0 + Array("mine\n".utf8) }
      say("\(number)")
    }
  } catch {
    say("\(error)")
  }
}
