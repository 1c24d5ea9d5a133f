import Glibc

/// Runs a command of the shell, and returns its output. The standard error goes to that of the test.
func shell(_ command: String) -> String {
  guard let pipe = popen(command, "re") else { return "popen failed" }
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, pipe)
    if count == 0 { break }
    output += buffer[..<count]
  }
  pclose(pipe)
  return String(decoding: output, as: UTF8.self)
}
