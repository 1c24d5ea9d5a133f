import RunnelStreams

@MainActor func race(_ names: PushStream<String>) async -> String? {
  let first = Task { await names.first() }
  let other = Task { await names.first() }
  other.cancel()
  return await first.value
}
