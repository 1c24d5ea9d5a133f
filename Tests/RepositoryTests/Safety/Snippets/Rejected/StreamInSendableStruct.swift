// expect: stored property 'names' of 'Sendable'-conforming struct 'Model' has non-Sendable type
import RunnelStreams

struct Model: Sendable {
  let names: EventStream<String, Never>
}
