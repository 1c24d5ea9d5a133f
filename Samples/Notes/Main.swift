import Glibc
import RunnelDesk

@main
@MainActor
struct Main {
  static func main() {
    do {
      let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
      let (output, status) = try Shell(invocation: invocation).run()
      if !write(output, to: STDOUT_FILENO) { fail("The standard output cannot be written.", 3) }
      exit(status)
    } catch let error as Invocation.UsageError {
      fail("\(error.message) Try notes --help.", 2)
    } catch let error as ScriptError {
      fail("\(error)", 1)
    } catch {
      fail("\(error)", 3)
    }
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    _ = write(Array("notes: \(message)\n".utf8), to: STDERR_FILENO)
    exit(status)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }
}
