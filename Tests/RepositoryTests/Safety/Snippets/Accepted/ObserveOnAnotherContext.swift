import RunnelStreams

@MainActor func log(_ names: PushStream<String>, _ loop: any ExecutionContext) -> Disposable {
  names.observe(on: loop) { event in print("\(event)") }
}
