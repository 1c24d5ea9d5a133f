import Foundation
import RunnelLoop
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
    let folder = TemporaryFolder()
    folder.write("input", input)
    let file = folder["input"]
    let output = try await withLoop("program") { loop in
      let results = EventLog<Result<ProcessOutput, ProcessError>>()
      loop.execute {
        let script = "input=$1; shift; exec \"$@\" < \"$input\""
        loop.output(of: "/bin/sh", ["-c", script, "sh", file, path] + arguments) {
          $0.environment = environment
          $0.errors = .piped
        }.observe(
          succeeded: { results.add(.success($0)) }, failed: { results.add(.failure($0)) })
      }
      return results.wait(for: 1)[0]
    }.get()
    let status: Int32 =
      switch output.status {
      case .exited(let code): code
      case .ended(let signal): signal.rawValue
      case .unknown: -1
      }
    return Outcome(
      status: status, output: output.text,
      errors: String(decoding: output.errors, as: UTF8.self))
  }

  /// The path of the program, which has the name of the package's product.
  static let path = Fixture.folder + "/notes"

  /// Creates a folder that is removed after the body.
  static func withHome(_ body: (String) async throws -> Void) async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try await body(home)
  }
}
