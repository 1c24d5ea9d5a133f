import RunnelStreams

struct Bad: Error {}

func parse(_ lines: EventStream<String, any Error>) -> EventStream<Int, any Error> {
  lines.map { line in
    guard let number = Int(line) else { throw Bad() }
    return number
  }
}
