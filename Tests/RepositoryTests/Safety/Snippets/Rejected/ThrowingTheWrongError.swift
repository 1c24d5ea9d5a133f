// expect: thrown expression type 'Worse' cannot be converted to error type 'Bad'
import RunnelStreams

struct Bad: Error {}
struct Worse: Error {}

func check(_ names: EventStream<String, Bad>) -> EventStream<String, Bad> {
  names.filter { _ throws(Bad) in throw Worse() }
}
