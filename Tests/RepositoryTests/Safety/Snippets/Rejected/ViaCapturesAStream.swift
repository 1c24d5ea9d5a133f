// expect: capture of 'others' with non-Sendable type
import RunnelStreams

@MainActor func join(
  _ names: PushStream<String>, _ others: PushStream<String>, _ loop: any ExecutionContext
) {
  names.via(loop) { .concat($0, others.stream) }.observeNext { print($0) }
}
