import RunnelStreams

func read(_ path: String) throws -> String { path }

func load(_ pool: any ExecutionContext) {
  EventStream.perform(on: pool) { try read("notes") }
    .observe(next: { print($0) }, failed: { print($0) })
}
