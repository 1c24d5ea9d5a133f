import Foundation
import RunnelTesting
import TestSupport

/// The program as a process. It is next to the test bundle.
enum Program {
  struct Outcome: Equatable, Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the program, or another one, with only the given environment variables.
  static func run(
    _ arguments: [String], of path: String = path, input: String = "",
    environment: [String: String]
  ) async throws -> Outcome {
    try await ManualContext.onThread { _ in
      Result { try runHere(arguments, of: path, input: input, environment: environment) }
    }.get()
  }

  private static func runHere(
    _ arguments: [String], of path: String, input: String, environment: [String: String]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errors = String(decoding: stderr.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: output, errors: errors)
  }

  /// The path of the program, which has the name of the package's product.
  static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      .map { URL(fileURLWithPath: $0).deletingLastPathComponent().appending(path: "notes").path() }
      ?? ""
  }

  /// Creates a folder that is removed after the body.
  static func withHome(_ body: (String) async throws -> Void) async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try await body(home)
  }
}
