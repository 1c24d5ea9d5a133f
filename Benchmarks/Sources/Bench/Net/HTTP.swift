import CAllocations
import CBaseline
import Foundation
import Glibc
import HTTPParsing
import Runnel

/// Measures the HTTP server. The baselines are evhttp and a responder on epoll in C; the clients are
/// in C for all. All threads run on one processor, so that the work of both sides counts.
func measureHTTP(_ report: inout Report) {
  measureHello(&report)
  measureFile(&report)
  measureWebSockets(&report)
  measureEvents(&report)
  measureParsing(&report)
  measureRoutes(&report)
}

/// Measures the search among many routes, compared with a search among few.
private func measureRoutes(_ report: inout Report) {
  let count = 10_000
  func search(among routes: Int) -> () -> Void {
    let loop = EventLoop(name: "routes")
    let server = HTTPServer(on: loop)
    for number in 0..<routes { server.get("/api/things\(number)/:id/parts/:part") { $0["part"] } }
    let request = HTTPRequest(.get, "/api/things\(routes / 2)/7/parts/8")
    return { for _ in 0..<count { consume(server.route(of: request) == nil ? 0 : 1) } }
  }
  report.ratio(
    "a route among 1,000", per: count, baseline: search(among: 10), measured: search(among: 1_000))
}

private func hello(_ server: HTTPServer) {
  server.get("/") { _ in "Hello, world!" }
}

/// Returns a server with Runnel, whose routes a closure adds.
private func runnel(_ setUp: @escaping @Sendable (HTTPServer) -> Void) -> (Int32) -> () -> Void {
  { listener in
    let loop = EventLoop(name: "http")
    loop.execute {
      net_pin()
      let server = HTTPServer(on: loop)
      setUp(server)
      do {
        try server.listen(.descriptor(listener))
      } catch {
        Main.fail("\(error)")
      }
    }
    return { end(loop) }
  }
}

private func measureHello(_ report: inout Report) {
  for (name, depth, requests) in [("hello", 1, 50_000), ("hello, pipelined 16 deep", 16, 200_000)] {
    let drive: @Sendable (Int32) -> Void = { http_drive($0, 64, Int32(depth), requests) }
    let here = { time(per: requests, server: runnel(hello), client: drive) }
    report.ratio(
      "\(name), beside epoll", attempts: 5,
      beside: { time(per: requests, server: c { http_serve_plain($0, 64) }, client: drive) }, here)
    report.ratio(
      "\(name), beside evhttp", attempts: 3,
      beside: { time(per: requests, server: c { http_serve_evhttp($0, 64) }, client: drive) },
      here)
  }
  report.count(
    "allocations per request",
    allocationsPerOperation { requests in
      time(per: 1, server: runnel(hello), client: { http_drive($0, 64, 1, requests) })
    })
}

private func measureFile(_ report: inout Report) {
  let folder = NSTemporaryDirectory() + UUID().uuidString
  let path = folder + "/index.html"
  mkdir(folder, 0o700)
  defer {
    unlink(path)
    rmdir(folder)
  }
  guard FileManager.default.createFile(atPath: path, contents: Data(count: 1 << 20)) else {
    Main.fail("The file for the benchmark cannot be created.")
  }
  let requests = 2_000
  let drive: @Sendable (Int32) -> Void = { http_drive($0, 8, 1, requests) }
  report.ratio(
    "a file of 1 MiB", attempts: 3,
    beside: { time(per: requests, server: c { http_serve_file($0, path, 8) }, client: drive) },
    {
      time(
        per: requests,
        server: runnel { server in server.files("/", in: folder) }, client: drive)
    })
}

private func measureWebSockets(_ report: inout Report) {
  let messages = 50_000
  report.ratio(
    "WebSocket echo of 64 bytes", attempts: 5,
    beside: {
      time(
        per: messages,
        server: runnel { connection, _ in connection.bytes.bind(to: connection.writer) },
        client: { net_drive_echo($0, 64, 64, messages) })
    },
    {
      time(
        per: messages,
        server: runnel { server in
          server.webSocket("/") { socket in socket.texts.bind(to: socket) }
        }, client: { http_drive_websockets($0, 64, messages) })
    })
}

/// Calls a closure with the places of groups of clients that fit into the backlog of a listener.
private func inGroups(
  _ sockets: inout [Int32], _ body: (UnsafeMutablePointer<Int32>, Int32) -> Void
) {
  sockets.withUnsafeMutableBufferPointer {
    guard let first = $0.baseAddress else { return }
    for start in stride(from: 0, to: $0.count, by: 1_000) { body(first + start, 1_000) }
  }
}

/// Raises the limit of descriptors as far as the system allows.
private func useAllDescriptors() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

private func measureEvents(_ report: inout Report) {
  let clients: Int32 = 5_000
  let rounds = 10
  useAllDescriptors()
  let event = ServerSentEvent("a message of the notice board", id: "1234")
  let loop = EventLoop.main
  let none = [Int32](repeating: -1, count: Int(clients))

  let size = event.bodyBytes.count
  let chunk = Array("\(String(size, radix: 16))\r\n".utf8) + event.bodyBytes + Array("\r\n".utf8)
  let clock = ContinuousClock()

  /// Returns the least time of a closure, after which the clients read what has arrived.
  func best(_ sockets: [Int32], _ send: () -> Void) -> Double {
    (0..<rounds).map { _ in
      defer { http_drain_all(sockets, clients) }
      return clock.measure(send).nanoseconds
    }.min() ?? .infinity
  }

  // One after the other, because both together would need more descriptors than most systems allow.
  var port: Int32 = 0
  let listener = net_listen(&port)
  var (plain, accepted, subscribed) = (none, none, none)
  accepted.withUnsafeMutableBufferPointer { accepted in
    var start = 0
    guard let first = accepted.baseAddress else { return }
    inGroups(&plain) {
      http_subscribe(port, $0, $1)
      http_accept(listener, first + start, $1)
      start += Int($1)
    }
  }
  let base = best(plain) {
    chunk.withUnsafeBytes {
      http_write_all(accepted, clients, $0.bindMemory(to: CChar.self).baseAddress, chunk.count)
    }
  }
  for sockets in [plain, accepted] { http_close_all(sockets, clients) }
  close(listener)

  let events = PushStream<ServerSentEvent>()
  let server = HTTPServer(on: loop)
  server.get("/") { _ in events.stream }
  do {
    let address = try server.listen(.tcp("127.0.0.1", port: 0)).address
    var count = 0
    inGroups(&subscribed) {
      http_subscribe(Int32(address.port ?? 0), $0, $1)
      count += Int($1)
      while server.connectionCount < count { loop.run(for: .milliseconds(1)) }
    }
    loop.run(for: .milliseconds(100))
    http_drain_all(subscribed, clients)
    let figure = best(subscribed) {
      events.next(event)
      loop.run(for: .zero)
    }
    report.ratio("an event to 5,000 clients", figure, to: base)
    http_close_all(subscribed, clients)
    while server.connectionCount > 0 { loop.run(for: .milliseconds(10)) }
  } catch {
    Main.fail("\(error)")
  }
}

/// The request of a browser.
private let browserRequest = """
  GET /topics/swift?since=1234&lang=en HTTP/1.1\r
  Host: www.example.org\r
  User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r
  Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r
  Accept-Language: en-US,en;q=0.5\r
  Accept-Encoding: gzip, deflate, br, zstd\r
  Referer: https://www.example.org/topics/swift/archive/2026\r
  Connection: keep-alive\r
  Cookie: session=8f14e45fceea167a5a36dedd4bea2543; theme=dark; consent=1\r
  Upgrade-Insecure-Requests: 1\r
  Sec-Fetch-Dest: document\r
  Sec-Fetch-Mode: navigate\r
  Sec-Fetch-Site: same-origin\r
  Sec-Fetch-User: ?1\r
  Priority: u=0, i\r
  \r

  """

private func measureParsing(_ report: inout Report) {
  let bytes = Array(browserRequest.utf8)
  let times = 100_000
  let clock = ContinuousClock()
  report.ratio(
    "parsing a browser's request", attempts: 3,
    beside: {
      clock.measure {
        bytes.withUnsafeBytes {
          consume(
            http_parse_evhttp($0.bindMemory(to: CChar.self).baseAddress, bytes.count, times))
        }
      }.nanoseconds / Double(times)
    },
    { clock.measure { consume(parse(bytes, times: times)) }.nanoseconds / Double(times) })
  report.allocations("allocations of parsing it", per: 1_000) {
    consume(parse(bytes, times: 1_000))
  }
}
