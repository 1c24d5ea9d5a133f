import CAllocations
import CBaseline
import Foundation
import Glibc
import Runnel
import Synchronization

/// Measures connections over loopback TCP. The baselines do the same in C on epoll; the clients are
/// in C for both. All threads run on one processor, so that the work of both sides counts.
func measureNet(_ report: inout Report) {
  measureEcho(&report)
  measureBulk(&report)
  measureRelay(&report)
  measureAccepting(&report)
  measureMemory(&report)
  measureTLS(&report)
}

// MARK: - Servers

/// Runs a server and a client on one processor. Returns the time of the client per operation in
/// nanoseconds.
func time(
  per count: Int, server: (_ listener: Int32) -> () -> Void,
  client: @escaping @Sendable (_ port: Int32) -> Void
) -> Double {
  var port: Int32 = 0
  let listener = net_listen(&port)
  let end = server(listener)
  let clock = ContinuousClock()
  let thisPort = port
  // Safety: read after the thread has ended.
  nonisolated(unsafe) var elapsed = Duration.zero
  inThread {
    net_pin()
    elapsed = clock.measure { client(thisPort) }
  }()
  end()
  return elapsed.nanoseconds / Double(count)
}

/// Starts a thread. Returns a closure that waits for its end.
func inThread(_ body: @escaping @Sendable () -> Void) -> () -> Void {
  let done = DispatchSemaphore(value: 0)
  Thread {
    body()
    done.signal()
  }.start()
  return { done.wait() }
}

/// Returns a server in C, which closes its listener at the end.
func c(_ serve: @escaping @Sendable (Int32) -> Void) -> (Int32) -> () -> Void {
  { listener in
    let join = inThread {
      net_pin()
      serve(listener)
    }
    return {
      join()
      close(listener)
    }
  }
}

/// Returns a server with Runnel.
func runnel(
  _ handle: @escaping @Sendable (Connection, EventLoop) -> Void
) -> (Int32) -> () -> Void {
  { listener in
    let loop = EventLoop(name: "net")
    loop.execute {
      net_pin()
      do {
        let server = try Listener(.descriptor(listener), on: loop)
        server.connections.observeNext { handle($0, loop) }
      } catch {
        Main.fail("\(error)")
      }
    }
    return { end(loop) }
  }
}

// MARK: - Figures

private func measureEcho(_ report: inout Report) {
  let messages = 50_000
  for (size, name) in [(64, "64 bytes"), (4_096, "4 KiB")] {
    let drive: @Sendable (Int32) -> Void = { net_drive_echo($0, 64, Int32(size), messages) }
    report.ratio(
      "TCP echo, 64 connections of \(name)", attempts: 5,
      beside: { time(per: messages, server: c { net_serve_echo($0, 64) }, client: drive) },
      {
        time(
          per: messages,
          server: runnel { connection, _ in connection.bytes.bind(to: connection.writer) },
          client: drive)
      })
  }
  report.count(
    "allocations per echoed message",
    allocationsPerOperation { messages in
      time(
        per: 1,
        server: runnel { connection, _ in connection.bytes.bind(to: connection.writer) },
        client: { net_drive_echo($0, 64, 64, messages) })
    })
}

/// Returns the allocations of a server's loop for each operation of a client: the difference between
/// a long and a short run.
func allocationsPerOperation(_ run: (_ count: Int) -> Double) -> Double {
  func allocations(_ count: Int) -> Int {
    _ = run(count)
    return allocationsOfLastLoop.withLock { $0 }
  }
  _ = allocations(10_000)
  return Double(allocations(60_000) - allocations(10_000)) / 50_000
}

/// The allocations of the thread of the last loop that has served.
private let allocationsOfLastLoop = Mutex(0)

/// Stops a loop, and keeps the number of allocations that its thread has made.
func end(_ loop: EventLoop) {
  loop.execute { allocationsOfLastLoop.withLock { $0 = Int(allocations_made()) } }
  loop.stop()
  loop.join()
}

private func measureBulk(_ report: inout Report) {
  let size = 1 << 30
  let pieces = size >> 16
  report.ratio(
    "bulk transfer, receiving 64 KiB", attempts: 3,
    beside: {
      time(
        per: pieces, server: c { _ = net_serve_sink($0, 1) }, client: { net_drive_bulk($0, size) })
    },
    {
      time(
        per: pieces,
        server: runnel { connection, _ in
          var received = 0
          connection.bytes.observe(next: { received += $0.count }, failed: { Main.fail("\($0)") })
        }, client: { net_drive_bulk($0, size) })
    })
  report.ratio(
    "bulk transfer, sending 64 KiB", attempts: 3,
    beside: {
      time(per: pieces, server: c { net_serve_bulk($0, size) }, client: { net_drain($0) })
    },
    {
      time(
        per: pieces, server: runnel { connection, _ in send(size, over: connection) },
        client: { net_drain($0) })
    })
}

/// Sends bytes as fast as the writer accepts them.
func send(_ size: Int, over connection: Connection) {
  let piece = [UInt8](repeating: 7, count: 1 << 16)
  let left = Property(size)
  let writer = connection.writer
  writer.isWritable.skip(1).observeNext { isWritable in
    while isWritable && left.value > 0 && writer.write(piece) { left.value -= piece.count }
    if left.value == 0 { writer.finish() }
  }
  while left.value > 0 && writer.write(piece) { left.value -= piece.count }
}

private func measureRelay(_ report: inout Report) {
  let size = 1 << 29
  let pieces = size >> 16
  // The relay connects to a sink in C, on the same processor.
  @Sendable func withSink(_ body: (Int32) -> Double) -> Double {
    var port: Int32 = 0
    let listener = net_listen(&port)
    let join = inThread {
      net_pin()
      _ = net_serve_sink(listener, 1)
    }
    defer {
      join()
      close(listener)
    }
    return body(port)
  }
  report.ratio(
    "relay between two connections", attempts: 3,
    beside: {
      withSink { sink in
        time(
          per: pieces, server: c { net_serve_relay($0, sink) },
          client: { net_drive_bulk($0, size) })
      }
    },
    {
      withSink { sink in
        time(
          per: pieces,
          server: runnel { client, loop in
            Connection.connect(to: .tcp("127.0.0.1", port: UInt16(sink)), on: loop).observe(
              succeeded: { client.relay(to: $0) }, failed: { Main.fail("\($0)") })
          }, client: { net_drive_bulk($0, size) })
      }
    })
}

private func measureAccepting(_ report: inout Report) {
  let connections = 5_000
  let drive: @Sendable (Int32) -> Void = { net_drive_accept($0, connections) }
  report.ratio(
    "accept and close", attempts: 5,
    beside: {
      time(per: connections, server: c { _ = net_serve_sink($0, connections) }, client: drive)
    },
    {
      time(
        per: connections,
        server: runnel { connection, _ in
          connection.bytes.observe(next: { _ in }, failed: { _ in })
        },
        client: drive)
    })
}

private func measureMemory(_ report: inout Report) {
  let count = 400
  let loop = EventLoop.main
  var far: [Int32] = []
  let before = allocations_bytes()
  for _ in 0..<count {
    var pair: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    far.append(pair[1])
    Connection.connect(to: .descriptor(pair[0]), on: loop).observe(
      succeeded: { $0.lines().map { "echo \($0)\n" }.bind(to: $0.writer) }, failed: { _ in })
  }
  loop.run(for: .zero)
  report.bytes("an idle connection that echoes lines", Int(allocations_bytes() - before) / count)
  for descriptor in far { close(descriptor) }
  loop.run(for: .milliseconds(1))
}
