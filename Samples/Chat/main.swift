// A chat, as a server and a client:
//
//     Scripts/run chat serve                    # at port 7000 of this machine
//     Scripts/run chat join Ann                 # in another terminal
//     Scripts/run chat serve 0.0.0.0:8000       # for other machines
//     Scripts/run chat join ./chat.sock Ann     # over a Unix socket
//
// The protocol is lines of text, and the first one is the name: `nc localhost 7000` is a client, too.

import Glibc
import Runnel

@MainActor final class Room {
  /// The lines for all members. Its failure finishes their writers.
  let lines = Subject<String, CancellationError>()

  func join(_ client: Connection) {
    var name: String?
    // A member that reads too slowly is dropped. It must not stop the others.
    client.writer.overflow = .fail
    client.timeLimits = TimeLimits(writing: .seconds(30))
    client.lines(longest: 1_000).map(printable).observe(
      next: { line in
        if let name { return self.lines.next("\(name): \(line)") }
        name = line
        self.lines.map { "\($0)\n" }.bind(to: client.writer)
        self.lines.next("* \(line) has joined")
      },
      failed: { error in if let name { self.lines.next("* \(name) was dropped: \(error.cause)") } },
      completed: { if let name { self.lines.next("* \(name) has left") } })
  }
}

/// Returns a line without control characters, which could change the terminals of the members.
func printable(_ line: String) -> String {
  String(line.unicodeScalars.filter { $0.properties.generalCategory != .control })
}

@MainActor func serve(at endpoint: Endpoint, _ service: Lifecycle) throws {
  let room = Room()
  let server = try Listener(endpoint, on: EventLoop.main)
  server.connections.observeNext { room.join($0) }
  service.onShutdown("members", server.close(within: .seconds(1)))
  // Steps run in reverse order.
  service.onShutdown("room") { room.lines.failed(CancellationError()) }
  try Writer(STDOUT_FILENO, on: .main).write("Listening at \(server.address)\n")
}

@MainActor func join(at endpoint: Endpoint, as name: String, _ service: Lifecycle) async throws {
  let connecting = Connection.connect(to: endpoint, on: EventLoop.main)
  guard let server = try await connecting.value() else { return }
  service.onShutdown("connection") { server.close() }
  server.write("\(name)\n")
  server.lines().map { "\($0)\n" }.bind(to: try Writer(STDOUT_FILENO, on: .main))
  EventLoop.main.lines(from: STDIN_FILENO).map { "\($0)\n" }
    .do(completed: server.finish).bind(to: server.writer)
  try await server.closed.completion()
  service.shutDown()
}

/// Reads an endpoint: a path with a slash, a port, or a host and a port.
func endpoint(_ text: String) -> Endpoint {
  let host = text.lastIndex(of: ":").map { String(text[..<$0]) }
  let port = UInt16(text.dropFirst(host.map { $0.count + 1 } ?? 0))
  return port.map { .tcp(host ?? "localhost", port: $0) } ?? .unix(text)
}

let arguments = CommandLine.arguments
let command = arguments.dropFirst().first
let place = endpoint(arguments.count > (command == "join" ? 3 : 2) ? arguments[2] : "7000")
let outcome = EventLoop.main.runUntilTerminated { service in
  switch (command, arguments.count) {
  case ("serve", 2...3): try serve(at: place, service)
  case ("join", 3...4): try await join(at: place, as: arguments[arguments.count - 1], service)
  default:
    print("Usage: chat serve [ENDPOINT] | chat join [ENDPOINT] NAME")
    exit(2)
  }
}
if case .failure(let error) = outcome.reason { print(error) }
exit(outcome.exitCode)
