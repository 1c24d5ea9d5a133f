import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting

/// Sends bytes to an HTTP server, all at once and in small pieces. Traps if the handled requests or
/// the statuses of the responses differ, or if a request is handled after an invalid one.
func fuzzServer(_ input: [UInt8]) {
  guard input.count > 2 else { return }
  // A head that never ends is refused early if it arrives at once, and late if it does not.
  let bytes = input.dropFirst() + Array("\r\n\r\n".utf8)
  let whole = log(of: Array(bytes), pieces: 1 << 16)
  let parts = log(of: Array(bytes), pieces: 1 + Int(input[0] % 7))
  precondition(whole == parts, "\(whole) differs from \(parts)")
  if let refusal = whole.firstIndex(where: { $0.hasPrefix("refused") }) {
    precondition(refusal == whole.endIndex - 1, "\(whole)")
  }
}

/// Returns the requests that a server handles, and at the end the refusal of an invalid one.
private func log(of bytes: [UInt8], pieces size: Int) -> [String] {
  let scheduler = TestScheduler()
  let network = TestNetwork(on: scheduler)
  network.pieceSize = size
  var log: [String] = []
  let server = HTTPServer(on: network)
  server.limits.startLine = 200
  server.limits.headers = 300
  server.limits.headerCount = 8
  server.limits.body = 100
  server.on(nil, "/*path") { request -> Single<String, any Error> in
    let head = "\(request.method) \(request.target) \(request.headers.count)"
    return request.body.bytes().map { body in
      log.append("\(head) \(body) \(request.trailers.count)")
      return "ok"
    }
  }
  var answers: [UInt8] = []
  guard let listener = try? server.listen(.tcp("server", port: 1)) else { return [] }
  Connection.connect(to: .tcp("server", port: 1), on: network).observe(
    succeeded: { client in
      client.staysOpenAfterEnd = true
      client.bytes.observe(next: { answers += $0 }, failed: { _ in })
      _ = client.write(bytes)
    }, failed: { _ in })
  scheduler.advance(by: .seconds(1))
  listener.close()
  let text = String(decoding: answers, as: UTF8.self)
  // The text of a refusal names its reason.
  if let line = text.split(separator: "\r\n").last(where: {
    $0.hasPrefix("HTTP/1.1 4") || $0.hasPrefix("HTTP/1.1 5")
  }),
    text.contains("Connection: close\r\n")
  {
    log.append("refused \(line)")
  }
  return log
}
