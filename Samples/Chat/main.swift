// A chat, as a server and a client:
//
//     Scripts/run chat serve                    # at port 7000 of this machine
//     Scripts/run chat join Ann                 # in another terminal
//     Scripts/run chat serve 0.0.0.0:8000       # for other machines
//     Scripts/run chat join ./chat.sock Ann     # over a Unix socket
//     Scripts/run chat serve localhost:7000 --tls chain.pem key.pem
//     Scripts/run chat join localhost:7000 Ann --tls root.pem
//
// The protocol is lines of text, and the first one is the name: `nc localhost 7000` is a client, too.

import Glibc
import Runnel
import RunnelTLS

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

@MainActor func serve(at endpoint: Endpoint, _ tls: TLSServerContext?, _ service: Lifecycle) throws
{
  let room = Room()
  let server = try Listener(endpoint, on: .main)
  server.connections.observeNext { client in
    guard let tls else { return room.join(client) }
    // A client that does not speak TLS is closed.
    client.tls(tls).observe(succeeded: { room.join($0) }, failed: { _ in })
  }
  service.onShutdown("members", server.close(within: .seconds(1)))
  // Steps run in reverse order.
  service.onShutdown("room") { room.lines.failed(CancellationError()) }
  _ = try Writer(STDOUT_FILENO, on: .main).write("Listening at \(server.address)\n")
}

@MainActor func join(
  at endpoint: Endpoint, as name: String, _ tls: TLSClientContext?, _ service: Lifecycle
) async throws {
  var connecting = Connection.connect(to: endpoint, on: .main)
  if let tls {
    let host = if case .tcp(let host, _) = endpoint { host } else { "localhost" }
    connecting = connecting.flatMap { $0.tls(tls, host: host) }
  }
  guard let server = try await connecting.value() else { return }
  service.onShutdown("connection") { server.close() }
  _ = server.write("\(name)\n")
  server.lines().map { "\($0)\n" }.bind(to: try Writer(STDOUT_FILENO, on: .main))
  EventLoop.main.lines(from: STDIN_FILENO).map { "\($0)\n" }
    .do(completed: server.finish).bind(to: server.writer)
  try await server.closed.completion()
  service.shutDown()
}

var arguments = Array(CommandLine.arguments.dropFirst())
let option = arguments.firstIndex(of: "--tls") ?? arguments.endIndex
let files = arguments[option...].dropFirst().map { TLSSource.file($0) }
arguments.removeSubrange(option...)
let place = arguments.count > (arguments.first == "join" ? 2 : 1) ? arguments[1] : "7000"
let endpoint = Endpoint(place) ?? UInt16(place).map { .tcp("localhost", port: $0) } ?? .unix(place)
let outcome = EventLoop.main.runUntilTerminated { service in
  switch (arguments.first, arguments.count, files.count) {
  case ("serve", 1...2, 0): try serve(at: endpoint, nil, service)
  case ("serve", 1...2, 2):
    let identity = TLSIdentity(certificate: files[0], key: files[1])
    try serve(at: endpoint, TLSServerContext(certificates: [identity]), service)
  case ("join", 2...3, 0...1):
    let tls = try files.first.map { try TLSClientContext(roots: .only($0)) }
    try await join(at: endpoint, as: arguments[arguments.count - 1], tls, service)
  default:
    print(
      "Usage: chat serve [ENDPOINT] [--tls CHAIN KEY] | chat join [ENDPOINT] NAME [--tls ROOTS]")
    exit(2)
  }
}
if case .failure(let error) = outcome.reason { print(error) }
exit(outcome.exitCode)
