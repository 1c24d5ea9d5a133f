// expect: capture of 'self' with non-Sendable type 'Log' in a '@Sendable' closure
import RunnelStreams

final class Log {
  var lines: [String] = []
  let names = PushStream<String>()

  func start(_ loop: any ExecutionContext) {
    names.observe(on: loop) { self.lines.append("\($0)") }
  }
}
