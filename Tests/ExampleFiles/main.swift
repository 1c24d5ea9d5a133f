import Foundation

// Writes the examples of all guides into a package, as programs that run them.
// Usage: ExampleFiles FOLDER, where FOLDER contains the package's sources.

/// Ends the process with a message.
func stop(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(1)
}

guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last else {
  stop("Usage: ExampleFiles FOLDER")
}
do {
  try ExampleProgram.write(into: URL(filePath: path))
} catch {
  stop("\(error)")
}
