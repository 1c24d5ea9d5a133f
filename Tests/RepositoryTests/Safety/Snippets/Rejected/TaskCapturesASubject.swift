// expect: capture of 'names' with non-Sendable type
import RunnelStreams

@MainActor func load(_ names: PushStream<String>) {
  EventStream<Bool, Never>.task { names.isObserved }.observeNext { print($0) }
}
