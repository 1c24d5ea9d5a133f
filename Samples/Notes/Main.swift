import Glibc
import Runnel
import RunnelDesk

@main
@MainActor
struct Main {
  static func main() {
    // Exceeding the file size limit of the process becomes an error instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let invocation = try Invocation(try arguments())
      let (output, status) = try Shell(invocation: invocation).run()
      try StandardFile.output.write(output)
      exit(status)
    } catch let error as Invocation.UsageError {
      fail("\(error.message.printable) Try notes --help.", 2)
    } catch {
      fail("\(error)", error is ScriptError || error is NothingFound ? 1 : 3)
    }
  }

  private static func arguments() throws(Invocation.UsageError) -> [String] {
    var texts: [String] = []
    for index in 1..<max(Int(CommandLine.argc), 1) {
      // Safety: the array has `argc` elements, each of which is nil or a zero-terminated string.
      guard let argument = CommandLine.unsafeArgv[index] else { break }
      let isPath = Invocation.isPath(after: texts)
      texts.append(try Invocation.text(argument, "Argument \(index)", isPath: isPath))
    }
    return texts
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    try? StandardFile.errors.write(Array("notes: \(message)\n".utf8))
    exit(status)
  }
}
