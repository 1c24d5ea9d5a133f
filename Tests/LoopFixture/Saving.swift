import RunnelFiles
import RunnelLoop

/// Saves versions of a file in a loop, and prints the number of each after its save. A version is
/// its number on many lines; the number of lines varies.
@MainActor func saveForever() {
  let file = SafeFile(CommandLine.arguments[2])
  do throws(FileError) {
    var old = try file.contents().bytes
    var number = Int(CommandLine.arguments[3]) ?? 0
    while true {
      number += 1
      let lines = 1 + number * 397 % 4_000
      let new = Array(String(repeating: "\(number)\n", count: lines).utf8) + Array("\(lines)".utf8)
      let outcome = try file.save(new, over: old)
      printLine(outcome == .saved ? "\(number)" : "\(outcome)")
      old = new
    }
  } catch {
    printLine("\(error)")
  }
}

/// Adds lines to a file in a loop, and prints their number.
@MainActor func updateForever() {
  let file = SafeFile(CommandLine.arguments[2])
  do throws(FileError) {
    var number = 0
    while true {
      number += 1
      try file.update { $0 + Array("mine\n".utf8) }
      printLine("\(number)")
    }
  } catch {
    printLine("\(error)")
  }
}
