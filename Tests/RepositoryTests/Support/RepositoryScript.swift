import Glibc
import Testing

@testable import ExampleFiles

/// Runs a program of the folder `Scripts`, and returns its exit status and its output.
func runScript(_ command: String) throws -> (status: Int32, output: String) {
  try runShell(PackageFiles.root.appending(path: "Scripts/").path() + command)
}

/// Runs a command of the shell, and returns its exit status and its output.
func runShell(_ command: String) throws -> (status: Int32, output: String) {
  let pipe = try #require(popen(command, "re"))
  var (output, buffer) = ("", [CChar](repeating: 0, count: 4_096))
  while fgets(&buffer, Int32(buffer.count), pipe) != nil {
    output += String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
  return (pclose(pipe), output)
}
