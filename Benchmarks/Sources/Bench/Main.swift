import Foundation

/// The benchmark groups and their names on the command line.
let groups: [(name: String, run: @Sendable (inout Report) -> Void)] = [
  ("streams", measureStreams),
  ("clients", measureClients),
  ("loop", measureLoop),
  ("net", measureNet),
  ("http", measureHTTP),
  ("mqtt", measureMQTT),
  ("dbus", measureDBus),
  ("collections", measureCollections),
  ("json", measureJSON),
  ("bus", measureBus),
  ("proxies", measureProxies),
  ("terminal", measureTerminal),
  ("notes", measureNotes),
]

@main
struct Main {
  static func main() throws {
    var mode = Report.Mode.show
    var wanted: [String] = []
    var limitsPath: String?
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": mode = .check
      case "--ci": mode = .ci
      case "--limits": limitsPath = arguments.popFirst()
      case let name where groups.contains { $0.name == name }: wanted.append(name)
      default:
        let names = groups.map(\.name).joined(separator: ", ")
        fail("There is no benchmark group or option '\(argument)'. Groups: \(names).")
      }
    }
    guard let limitsPath else { fail("The option --limits FILE is missing.") }
    let data = try Data(contentsOf: URL(fileURLWithPath: limitsPath))
    let limits = try JSONDecoder().decode([String: [String: Limit]].self, from: data)

    var failures = 0
    for group in groups where wanted.isEmpty || wanted.contains(group.name) {
      var report = Report(group: group.name, limits: limits[group.name] ?? [:], mode: mode)
      group.run(&report)
      report.finish()
      failures += report.failures
    }
    if failures > 0 && mode != .show { fail("\(failures) figures exceeded their limits.") }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
  }
}
