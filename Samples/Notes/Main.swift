import Glibc
import Runnel
import RunnelDesk

@main
@MainActor
struct Main {
  static func main() {
    // What is too large for the limits of this process is an error, and not its end.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
      let (output, status) = try Shell(invocation: invocation).run()
      try StandardFile.output.write(output)
      exit(status)
    } catch let error as Invocation.UsageError {
      fail("\(error.message.printable) Try notes --help.", 2)
    } catch let error as ScriptError {
      fail("\(error)", 1)
    } catch {
      fail("\(error)", 3)
    }
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    try? StandardFile.errors.write(Array("notes: \(message)\n".utf8))
    exit(status)
  }
}
