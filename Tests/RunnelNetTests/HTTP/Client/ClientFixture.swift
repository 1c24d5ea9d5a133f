import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

/// A client in a test network, and a server that answers with given bytes.
final class ClientFixture {
  let scheduler = TestScheduler()
  let network: TestNetwork
  let client: HTTPClient
  private var listener: Listener?
  /// The open connections, at the side of the server.
  private(set) var connections: [Connection] = []
  /// The bytes that each connection has received.
  private(set) var received: [String] = []
  /// The number of requests that each connection has answered.
  private var answered: [Int] = []
  /// The results of observed requests, in the order of their ends.
  var log: [String] = []
  /// Returns the answer to a request of a connection, both counted from 0; nil answers nothing, and
  /// "close" closes the connection.
  private let answer: (_ connection: Int, _ request: Int) -> String?

  init(
    pieces size: Int = 1 << 16, port: UInt16 = 80, secure: SecureConnection? = nil,
    _ answer: @escaping (_ connection: Int, _ request: Int) -> String?
  ) throws {
    network = TestNetwork(on: scheduler)
    network.pieceSize = size
    client = HTTPClient(on: network, secure: secure)
    client.proxies = HTTPProxies()
    client.headers = [:]
    self.answer = answer
    let listener = try Listener(.tcp("*", port: port), on: network)
    self.listener = listener
    listener.connections.observeNext { [weak self] in self?.serve($0) }
  }

  private func serve(_ connection: Connection) {
    let index = connections.count
    connections.append(connection)
    received.append("")
    answered.append(0)
    respond(index)
    connection.bytes.observe(
      next: { [weak self] in
        self?.received[index] += String(decoding: $0, as: UTF8.self)
        self?.respond(index)
      }, failed: { _ in })
  }

  /// Answers the requests that are complete.
  private func respond(_ index: Int) {
    while true {
      let heads = received[index].components(separatedBy: "\r\n\r\n") - 1
      let number = answered[index]
      guard let text = answer(index, number) else { return }
      guard number < heads else { return }
      answered[index] += 1
      if text == "close" { return connections[index].close() }
      if text == "reset" { return connections[index].reset() }
      if text.hasSuffix(" close") {
        _ = connections[index].write(String(text.dropLast(6)))
        return connections[index].close()
      }
      _ = connections[index].write(text)
    }
  }

  /// Answers a request to which nothing was answered before.
  func answer(_ connection: Int, with text: String) {
    answered[connection] += 1
    _ = connections[connection].write(text)
  }

  /// The number of connections that are open at the side of the server.
  var openCount: Int { listener?.connectionCount ?? 0 }

  /// The request lines that a connection has received.
  func requestLines(_ index: Int = 0) -> [String] {
    received[index].split(separator: "\r\n").filter { $0.hasSuffix(" HTTP/1.1") }
      .map { String($0.dropLast(9)) }
  }

  /// Sends a request, and logs the status and the body, or the error.
  @discardableResult
  func exchange(_ request: HTTPRequest, name: String = "") -> Disposable {
    client.exchange(request).observe(
      succeeded: { [weak self] response in
        let status = response.status.code
        response.body.text().observe(
          succeeded: { self?.log.append("\(name)\(status) \($0)") },
          failed: { self?.log.append("\(name)\(status) \($0)") })
      }, failed: { [weak self] in self?.log.append("\(name)\($0.brief)") })
  }

  @discardableResult
  func get(_ path: String = "/", name: String = "") -> Disposable {
    exchange(HTTPRequest(.get, "http://server\(path)"), name: name)
  }

  func advance(_ duration: Duration = .milliseconds(200)) {
    scheduler.advance(by: duration)
  }
}

extension String {
  /// The number of parts between separators.
  fileprivate func components(separatedBy separator: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = String(rest).range(of: separator) {
      count += 1
      rest = String(rest)[range.upperBound...]
    }
    return count
  }
}

extension HTTPClientError {
  /// The case, and the values that matter in a test.
  var brief: String {
    switch self {
    case .invalidURL: "invalidURL"
    case .invalidRequest: "invalidRequest"
    case .connection(let error): "connection \(error.cause)"
    case .disconnected: "disconnected"
    case .malformed(let reason): "malformed \(reason)"
    case .timedOut(let limit): "timedOut \(limit)"
    case .status(let response):
      "status \(response.status.code) \(response.text) \(response.isComplete)"
    case .tooManyRedirects: "tooManyRedirects"
    case .refusedRedirect(let location, _): "refusedRedirect \(location)"
    case .proxy(let status): "proxy \(status.code)"
    case .tlsMissing: "tlsMissing"
    case .requestBody(let error): "requestBody \(error)"
    case .responseBody(let error): "responseBody \(error)"
    case .noEvents(let type): "noEvents \(type)"
    case .eventTooLong: "eventTooLong"
    }
  }
}

/// Returns a response with a body of a known length.
func ok(_ body: String, _ fields: String = "") -> String {
  "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
