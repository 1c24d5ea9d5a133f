// expect: capture of 'count' with non-Sendable type 'Property<Int>' in a '@Sendable' closure
import RunnelStreams

@MainActor func load(_ count: Property<Int>, _ pool: any ExecutionContext) {
  EventStream<Int, Never>.perform(on: pool) { count.value + 1 }.observeNext { print($0) }
}
