import RunnelNet
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct HTTPMetricsTests {
  private func lines(_ metrics: Metrics) -> [Substring] {
    metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("_bucket") }
  }

  @Test func requestsAreCountedByRouteAndStatus() throws {
    let metrics = Metrics()
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    server.count(in: HTTPMetrics(metrics))
    server.get("/topics/:name") { _ in "a" }
    server.get("/slow") { _ in
      Single<String, Never>.just("b").delay(for: .seconds(2), on: pair.scheduler)
    }
    server.get("/metrics") { _ in metrics }
    server.serve(pair.far)
    var received: [UInt8] = []
    pair.near.bytes.observe(next: { received += $0 }, failed: { _ in })
    for line in [
      "GET /topics/1", "GET /topics/2?a=b", "POST /topics/1", "PURGE /none", "GET /none",
      "GET /slow",
    ] {
      _ = pair.near.write("\(line) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      pair.scheduler.advance(by: .seconds(3))
    }
    #expect(
      lines(metrics).filter { $0.hasPrefix("http_requests_total") } == [
        #"http_requests_total{method="GET",route="/slow",status="200"} 1"#,
        #"http_requests_total{method="GET",route="/topics/:name",status="200"} 2"#,
        #"http_requests_total{method="GET",route="none",status="404"} 1"#,
        #"http_requests_total{method="POST",route="none",status="405"} 1"#,
        #"http_requests_total{method="other",route="none",status="404"} 1"#,
      ])
    #expect(lines(metrics).contains(#"http_request_seconds_sum{route="/slow"} 2"#))
    #expect(lines(metrics).contains("http_connections 1"))
    received = []
    _ = pair.near.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
    pair.scheduler.advance(by: .seconds(1))
    let text = String(decoding: received, as: UTF8.self)
    #expect(text.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
    #expect(text.contains("\n# TYPE http_request_seconds histogram\n"))
    _ = pair.near.write("GET /\r\n\r\n")
    pair.scheduler.advance(by: .seconds(1))
    #expect(lines(metrics).contains(#"http_refusals_total{status="400"} 1"#))
    #expect(lines(metrics).contains("http_connections 0"))
  }

  @Test func connectionsThatAreOpenAreCounted() throws {
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    server.serve(pair.far)
    let metrics = Metrics()
    server.count(in: HTTPMetrics(metrics))
    #expect(lines(metrics).contains("http_connections 1"))
  }

  @Test func clientsThatGoAwayAndInterimStatusesAreCounted() throws {
    let metrics = Metrics()
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    server.count(in: HTTPMetrics(metrics))
    server.get("/never") { _ in Single<String, Never>(trusting: .never) }
    server.get("/early") { _ in HTTPStatus(103) }
    server.serve(pair.far)
    let log = LogRecorder {
      _ = pair.near.write("GET /early HTTP/1.1\r\nHost: a\r\n\r\n")
      pair.scheduler.advance(by: .seconds(1))
    }
    #expect(log.messages == ["A handler failed."])
    _ = pair.near.write("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
    pair.scheduler.advance(by: .seconds(1))
    pair.near.close()
    pair.scheduler.advance(by: .seconds(1))
    #expect(
      lines(metrics).filter { $0.hasPrefix("http_requests_total") } == [
        #"http_requests_total{method="GET",route="/early",status="500"} 1"#,
        #"http_requests_total{method="GET",route="/never",status="499"} 1"#,
      ])
  }
}
