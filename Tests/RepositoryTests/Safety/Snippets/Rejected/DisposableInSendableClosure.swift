// expect: capture of 'observation' with non-Sendable type 'Disposable' in a '@Sendable' closure
import RunnelStreams

@MainActor func start(_ names: PushStream<String>, _ loop: any ExecutionContext) {
  let observation = names.observeNext { print($0) }
  loop.execute { observation.dispose() }
}
