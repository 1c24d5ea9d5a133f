import RunnelStreams

struct Bad: Error {}

func parse(_ lines: EventStream<String, Bad>) -> EventStream<Int, Bad> {
  lines.map { line throws(Bad) in
    guard let number = Int(line) else { throw Bad() }
    return number
  }
}
