import Glibc

/// Ends the process with status 1 unless a condition holds.
public func check(
  _ condition: Bool, _ explanation: @autoclosure () -> String = "",
  file: StaticString = #fileID, line: UInt = #line
) {
  if condition { return }
  let text = explanation()
  print("\(file):\(line): The check failed\(text.isEmpty ? "." : ": \(text)")")
  exit(1)
}

/// Ends the process with status 1 unless two values are equal.
public func checkEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, file: StaticString = #fileID, line: UInt = #line
) {
  check(value == expected, "\(value) is not \(expected).", file: file, line: line)
}
