import Checking
import Glibc
import Runnel
import RunnelNetTesting
import RunnelTesting

let loop = EventLoop.main
var started = ContinuousClock.now

/// Prints the time that a part has taken, if the environment variable TIMES is set.
@MainActor func finished(_ part: String) {
  let now = ContinuousClock.now
  if getenv("TIMES") != nil { print("\(part): \(now - started)") }
  fflush(nil)
  started = now
}

/// Returns the largest amount of memory that this process has had, in MiB.
func peakMemory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss / 1024
}

@MainActor func connect(to address: SocketAddress) throws -> Connection {
  let connection = try loop.run(until: Connection.connect(to: .address(address), on: loop).stream)
  guard let connection else { fatalError("The loop was stopped.") }
  return connection
}

/// Returns two connected ends.
@MainActor func pair() throws -> (Connection, Connection) {
  let server = try Listener(.abstract("runnel-net-\(getpid())"), on: loop)
  let accepting = server.connections.take(1).replayed()
  let client = try connect(to: server.address)
  guard let accepted = loop.run(until: accepting) else { fatalError("The loop was stopped.") }
  server.close()
  return (client, accepted)
}

extension StreamConvertible {
  /// Collects the events from now on, for an observer that comes later.
  @MainActor func replayed() -> ReplayStream<Element, Never> where Failure == Never {
    let replay = ReplayStream<Element, Never>(capacity: 1_000)
    stream.observeNext { replay.next($0) }
    return replay
  }
}

// An echo server over TCP, and a client that finishes.
let echo = try Listener(.tcp("localhost", port: 0), on: loop)
echo.connections.observeNext { client in
  client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
}
let client = try connect(to: echo.address)
check(client.peer == echo.address && client.isOpen && client.peerCredentials == nil)
_ = client.write("one\ntwo\r\nthree")
client.finish()
checkEqual(
  try loop.run(until: client.lines().toArray()), ["echo one", "echo two", "echo three"])
try loop.run(until: client.closed.stream)
check(!client.isOpen)
loop.run(until: echo.close(within: .seconds(1)).stream)
checkEqual(echo.connectionCount, 0)
finished("echo")

// Framings, in both directions.
let (near, far) = try pair()
for framing in [
  Framing.lengthPrefixed(by: 2), .lengthPrefixed(by: 4, .littleEndian), .varintPrefixed(),
  .delimited(by: [13, 10]), .fixed(3),
] {
  _ = near.write(framing.encode([1, 2, 3]) + framing.encode([4, 5, 6]))
  let messages = far.messages(framed: framing).take(2).toArray()
  checkEqual(try loop.run(until: messages), [[1, 2, 3], [4, 5, 6]])
}
finished("framing")

// Credentials and descriptors.
checkEqual(far.peerCredentials?.process, getpid())
let passing = far.passedDescriptors.take(1).replayed()
_ = near.pass([STDOUT_FILENO], with: [7])
checkEqual(try loop.run(until: far.bytes.take(1)), [7])
let passed = loop.run(until: passing)?.take() ?? -1
check(fcntl(passed, F_GETFD) == FD_CLOEXEC)
close(passed)
finished("passing")

// A file, with a completion.
let text = "a line\nanother line\n"
let file = creat("text", 0o600)
check(write(file, text, text.utf8.count) == text.utf8.count)
close(file)
let reading = far.lines().take(3).toArray().stream
let sending = near.writer.writing("first\n").andThen(near.writer.sending(file: "text"))
var sent = false
sending.observe(completed: { sent = true }, failed: { check(false, "\($0)") })
checkEqual(try loop.run(until: reading), ["first", "a line", "another line"])
check(sent)
finished("a file")

// Time limits, and the error of a reset.
far.timeLimits = TimeLimits(reading: .milliseconds(5))
var failure: SocketError?
far.bytes.observe(failed: { failure = $0 })
checkEqual(try loop.run(until: near.bytes.toArray()), [])
checkEqual(failure?.cause, .timedOut(.reading))
check(failure.map { "\($0)" }?.contains("time limit") == true)
finished("time limits")

// Nobody listens.
do throws(SocketError) {
  _ = try loop.run(until: Connection.connect(to: .address(echo.address), on: loop).stream)
  check(false, "Connecting to a closed listener succeeded.")
} catch {
  checkEqual(error.cause, .refused)
}
finished("a refusal")

// Options, a name and a proxy.
let backend = try Listener(.tcp("localhost", port: 0), on: loop)
backend.connections.observeNext { $0.bytes.bind(to: $0.writer) }
let proxy = try Listener(.tcp("localhost", port: 0), on: loop)
proxy.connections.observeNext { visitor in
  Connection.connect(to: .address(backend.address), on: loop).observe(
    succeeded: { visitor.relay(to: $0) }, failed: { check(false, "\($0)") })
}
let options = ConnectionOptions {
  $0.timeout = .seconds(5)
  $0.keepAlive = ConnectionOptions.KeepAlive()
  $0.acknowledgementTimeout = .seconds(30)
  $0.localAddress = .ip(.loopback, port: 0)
}
let connecting = Connection.connect(
  to: .tcp("localhost", port: proxy.address.port ?? 0), options: options, on: loop)
let visitor = try loop.run(until: connecting.stream)
_ = visitor?.write([UInt8](repeating: 1, count: 1_000_000))
visitor?.finish()
let returned = visitor?.bytes.reduce(0) { $0 + $1.count } ?? .just(0)
checkEqual(try loop.run(until: returned.stream), 1_000_000)
finished("a proxy")

// Datagrams.
let first = try DatagramSocket(.udp("localhost", port: 0), on: loop)
let second = try DatagramSocket(.udp("127.0.0.1", port: 0), on: loop)
try first.connect(to: second.address)
second.datagrams.observe(next: { second.send($0.bytes + [0], to: $0.sender) }, failed: { _ in })
first.send([1, 2])
checkEqual(try loop.run(until: first.datagrams.take(1))?.bytes, [1, 2, 0])
second.close()
// The answer is noticed at once while the socket is read.
first.datagrams.observe(failed: { check(false, "\($0)") })
first.send([3])
checkEqual(loop.run(until: first.failures.take(1))?.cause, .refused)
finished("datagrams")

// A writer of a pipe.
var ends: [Int32] = [0, 0]
check(pipe(&ends) == 0)
let output = try Writer(ends[1], on: loop)
EventStream<Int, Never>.sequence(1...3).map { "\($0)\n" }.bind(to: output)
checkEqual(try loop.run(until: loop.lines(from: ends[0]).take(3).toArray()), ["1", "2", "3"])
close(ends[0])
finished("a pipe")

// A network in virtual time.
let scheduler = TestScheduler()
let network = TestNetwork(on: scheduler)
network.latency = .milliseconds(20)
network.pieceSize = 1
var answers: [String] = []
try Listener(.tcp("server", port: 7), on: network).connections.observeNext { peer in
  peer.lines().map { "\($0)!\n" }.bind(to: peer.writer)
}
Connection.connect(to: .tcp("server", port: 7), on: network).observe(
  succeeded: { peer in
    _ = peer.write("hello\n")
    peer.lines().observe(next: { answers.append($0) }, failed: { _ in })
  }, failed: { check(false, "\($0)") })
scheduler.advance(by: .seconds(1))
checkEqual(answers, ["hello!"])
finished("a network in memory")

// Two loops: each line reaches the clients of both.
let group = LoopGroup(name: "group", count: 2)
let rooms = group.perLoop { _ in PushStream<String>() }
let shared = try group.listen(.tcp("localhost", port: 0)) { member in
  rooms.current.bind(to: member.writer)
  member.lines().observe(next: { line in rooms.send { $0.next("\(line)\n") } }, failed: { _ in })
}
let members = try (0..<20).map { _ in try connect(to: shared.address) }
let greeting = EventStream<String, SocketError>.merge(members.map { $0.lines().take(1) })
// All members are bound once each of them has received something.
let ticks = EventStream<Int, Never>.interval(.milliseconds(1)).observeNext { _ in
  _ = members[0].write("welcome\n")
}
checkEqual(try loop.run(until: greeting.toArray()), Array(repeating: "welcome", count: 20))
ticks.dispose()
loop.run(until: shared.close(within: .zero).stream)
group.stop()
group.join()
finished("group")

// 100 million writes of one byte. The writer says when to wait, and the reader asks for each piece.
let (source, target) = try pair()
let memory = peakMemory()
let byte: [UInt8] = [65]
var written = 0
source.writer.isWritable.observeNext { isWritable in
  guard isWritable else { return }
  while written < 100_000_000, source.write(byte) { written += 1 }
  if written == 100_000_000 { source.finish() }
}
let demand = Demand(1)
let total = target.bytes(demand: demand).map { bytes in
  demand.request()
  return bytes.count
}.reduce(0, +)
checkEqual(try loop.run(until: total.stream), 100_000_000)
check(peakMemory() - memory < 4, "\(peakMemory() - memory) MiB more after writing bytes.")
finished("100 million writes")

// One write of 100 MB, which needs no copy.
let (sender, receiver) = try pair()
let large = [UInt8](repeating: 66, count: 100_000_000)
let before = peakMemory()
sender.writer.writing(large).observe(
  completed: { sender.finish() }, failed: { check(false, "\($0)") })
let sum = receiver.bytes.reduce(0) { $0 + $1.count }
checkEqual(try loop.run(until: sum.stream), 100_000_000)
check(peakMemory() - before < 8, "\(peakMemory() - before) MiB more after a large write.")
finished("a write of 100 MB")

// 10,000 connections, at most 100 at a time.
let door = try Listener(.abstract("runnel-door-\(getpid())"), on: loop)
var accepted = 0
door.connections.observeNext { visitor in
  accepted += 1
  visitor.bytes.bind(to: visitor.writer)
}
let visits = EventStream<Int, SocketError>.sequence(0..<10_000).flatMap(maxConcurrent: 100) { _ in
  Connection.connect(to: .address(door.address), on: loop).stream.flatMap { visitor in
    _ = visitor.write("x")
    visitor.finish()
    return visitor.bytes
  }
}
checkEqual(try loop.run(until: visits.reduce(0) { $0 + $1.count }.stream), 10_000)
checkEqual(accepted, 10_000)
loop.run(until: door.close(within: .seconds(1)).stream)
checkEqual(door.connectionCount, 0)
finished("10,000 connections")
