import TestSupport

/// Runs a program to its end and returns what it prints, without the last line break.
func output(_ command: String...) -> String {
  withProcessHere(untilParentEnds + command) { process in
    var lines: [String] = []
    while let line = process.readLine() { lines.append(line) }
    return lines.joined(separator: "\n")
  }
}
