import RunnelStreams

final class Parser {
  var count = 0
  func parse(_ line: String) -> Int { line.count }
}

func parse(
  _ lines: EventStream<String, Never>, _ loop: any ExecutionContext
) -> EventStream<Int, Never> {
  lines.via(loop) { lines in
    let parser = Parser()
    return lines.map { line in
      parser.count += 1
      return parser.parse(line)
    }
  }
}
