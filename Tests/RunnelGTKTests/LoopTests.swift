#if GTK
import Foundation
import RunnelTesting
import TestSupport
import Testing

extension GTKTests {
  /// The main loop serves GTK, and its own sources while GTK waits.
  @Suite struct LoopTests {
    @Test func sourcesOfRunnelAreServedWhileGTKWaits() async throws {
      let output = try await ManualContext.onThread { _ in Result { try Self.run() } }.get()
      let lines = output.split(separator: "\n").map(String.init)
      #expect(Set(lines) == ["waiting", "timer", "task", "bytes", "waited"])
      #expect(lines.last == "waited")
    }

    private static func run() throws -> String {
      let display = try Display()
      defer { display.end() }
      let (program, output) = (Process(), Pipe())
      program.executableURL = URL(fileURLWithPath: Fixture.folder + "/GTKFixture")
      program.environment = display.environment
      program.standardOutput = output
      try program.run()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      program.waitUntilExit()
      #expect(program.terminationStatus == 0)
      return text
    }
  }
}
#endif
