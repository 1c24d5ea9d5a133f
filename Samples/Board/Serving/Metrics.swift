import Runnel

/// Numbers about the server, in the text form of Prometheus.
final class Metrics {
  /// True from the signal to end.
  var isDraining = false
  private var requests: [Int: Int] = [:]

  /// Counts the responses by their status. It is middleware.
  func countRequests(_ request: HTTPRequest, _ next: HTTPHandler) -> HTTPReply {
    next(request).map { [self] response in
      count(response.status)
      return response
    }
  }

  func count(_ status: HTTPStatus) {
    requests[status.code, default: 0] += 1
  }

  func text(_ server: HTTPServer, _ board: Board) -> HTTPResponse {
    var text = ""
    func add(_ name: String, _ kind: String, _ help: String, _ values: [(label: String, Any)]) {
      text += "# HELP board_\(name) \(help)\n# TYPE board_\(name) \(kind)\n"
      for (label, value) in values { text += "board_\(name)\(label) \(value)\n" }
    }
    add(
      "requests_total", "counter", "Requests, by the status of the response.",
      requests.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", $0.value) })
    add("connections", "gauge", "Open HTTP connections.", [("", server.connectionCount)])
    add("subscribers", "gauge", "Subscriptions of topics.", [("", board.subscriberCount)])
    add("posts", "gauge", "Posts in the file.", [("", board.postCount)])
    add("topics", "gauge", "Topics with posts.", [("", board.topicCount)])
    add("damaged_lines", "gauge", "Lines of the file lost to damage.", [("", board.damagedCount)])
    add(
      "moved_bytes", "gauge", "Damaged bytes at the end of the file, moved to another one.",
      [("", board.movedEnd?.count ?? 0)])
    add("file_bytes", "gauge", "Size of the file.", [("", board.size)])
    let lag = EventLoop.main.isCurrent ? EventLoop.main.statistics.lag : .zero
    add("loop_lag_seconds", "gauge", "Delay of the last timer.", [("", lag / .seconds(1))])
    return HTTPResponse(
      headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"], body: HTTPBody(text))
  }
}
