// expect: type 'Note' does not conform to the 'Sendable' protocol
import RunnelStreams

final class Note {
  var text = ""
}

func start(_ notes: PushStream<Note>, _ loop: any ExecutionContext) {
  notes.observe(on: loop) { print($0) }
}
