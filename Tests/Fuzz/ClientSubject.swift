import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting

/// Sends bytes to an HTTP client as the response to its request, or as server-sent events, all at
/// once and in small pieces. Traps if the results differ.
func fuzzClient(_ input: [UInt8]) {
  guard input.count > 2 else { return }
  let bytes = Array(input.dropFirst())
  let size = 1 + Int(input[0] % 7)
  let function = input[0] < 128 ? responses : events
  let whole = function(bytes, 1 << 16)
  let parts = function(bytes, size)
  precondition(whole == parts, "\(whole) differs from \(parts)")
}

/// Returns a client, and the listener of a server that answers each connection once with bytes and
/// then closes it.
private func connect(
  answering bytes: [UInt8], pieces size: Int
) -> (HTTPClient, Listener, TestScheduler)? {
  let scheduler = TestScheduler()
  let network = TestNetwork(on: scheduler)
  network.pieceSize = size
  guard let listener = try? Listener(.tcp("server", port: 80), on: network) else { return nil }
  listener.connections.observeNext { connection in
    connection.lines().filter { $0.isEmpty }.take(1).observe(
      next: { _ in
        _ = connection.write(bytes)
        connection.close()
      }, failed: { _ in })
  }
  let client = HTTPClient(on: network)
  client.proxies = HTTPProxies()
  client.limits.startLine = 100
  client.limits.headers = 200
  client.limits.headerCount = 8
  client.limits.body = 100
  return (client, listener, scheduler)
}

/// Returns the status, the number of header fields and the body of a response.
private func responses(_ bytes: [UInt8], _ size: Int) -> [String] {
  guard let (client, listener, scheduler) = connect(answering: bytes, pieces: size) else {
    return []
  }
  client.maximumRedirects = 0
  var log: [String] = []
  client.exchange(HTTPRequest(.get, "http://server/")).observe(
    succeeded: { response in
      let head = "\(response.status) \(response.headers.count)"
      response.body.bytes().observe(
        succeeded: { log.append("\(head) \($0)") }, failed: { _ in log.append("\(head) invalid") })
    }, failed: { _ in log.append("invalid") })
  scheduler.advance(by: .seconds(1))
  listener.close()
  precondition(log.count == 1, "a call has ended \(log.count) times")
  return log
}

/// Returns the events of a response.
private func events(_ bytes: [UInt8], _ size: Int) -> [String] {
  let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  guard
    let (client, listener, scheduler) = connect(
      answering: Array(head.utf8) + bytes, pieces: size)
  else { return [] }
  client.limits.body = .max
  var log: [String] = []
  let observation = client.events("http://server/", longest: 50).observe(
    next: { log.append("\($0)") }, failed: { log.append("\($0)") })
  // The client connects again later.
  scheduler.advance(by: .milliseconds(1))
  observation.dispose()
  listener.close()
  return log
}
