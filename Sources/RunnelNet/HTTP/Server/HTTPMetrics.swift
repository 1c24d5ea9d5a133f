import RunnelStreams

/// The metrics of servers, which any loop may count in.
///
///     let metrics = Metrics()
///     server.count(in: HTTPMetrics(metrics))
///     server.get("/metrics") { _ in metrics }
///
/// | metric | labels | content |
/// |---|---|---|
/// | `http_requests_total` | `method`, `route`, `status` | requests that reached the middleware; the status is 499 if the client went away or was refused before |
/// | `http_request_seconds` | `route` | the time from the arrival of a request until its response was written |
/// | `http_refusals_total` | `status` | requests that the server refused, such as malformed ones and those with a slow body |
/// | `http_connections` | | open connections |
///
/// The route is the path that was given to the server, such as `/topics/:name`; `none` if no route has
/// the path and the method of the request. Methods without a constant in ``HTTPMethod`` are `other`.
public struct HTTPMetrics: Sendable {
  fileprivate let requests: MetricFamily<Counter>
  fileprivate let times: MetricFamily<Histogram>
  let refusals: MetricFamily<Counter>
  let connections: Gauge

  /// Adds the metrics of servers to a set.
  public init(_ metrics: Metrics) {
    requests = metrics.counters(
      "http_requests_total", "Requests that reached the middleware.", by: "method", "route",
      "status")
    times = metrics.histograms(
      "http_request_seconds", "Time until the response was written.", by: "route")
    refusals = metrics.counters(
      "http_refusals_total", "Requests that the server refused.", by: "status")
    connections = metrics.gauge("http_connections", "Open connections.")
  }
}

extension HTTPServer {
  /// Counts requests and connections from now on. Add it before other middleware, whose responses it
  /// counts as well.
  public func count(in metrics: HTTPMetrics) {
    require(self.metrics == nil, "An HTTPServer counts in one HTTPMetrics.")
    self.metrics = metrics
    metrics.connections.add(Double(connectionCount))
    watchResponses(now: { .zero }) { [weak self] access in
      let route = self?.route(of: access.request) ?? "none"
      let method = access.request.method
      let name = HTTPMethod.known.contains(method) ? method.rawValue : "other"
      metrics.requests[name, route, "\(access.status?.code ?? 499)"].increment()
      metrics.times[route].record(access.duration)
    }
  }
}

extension HTTPMethod {
  fileprivate static let known: Set<HTTPMethod> = [
    .get, .head, .post, .put, .patch, .delete, .options,
  ]
}

extension Metrics: HTTPReplyConvertible {
  /// A response with the text of all metrics.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    HTTPReply(
      HTTPResponse(headers: ["Content-Type": Metrics.contentType], body: HTTPBody(text)))
  }
}
