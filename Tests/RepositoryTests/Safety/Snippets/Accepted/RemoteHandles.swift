import RunnelStreams

@MainActor func start(_ names: Property<[String]>, _ sounds: PushStream<Int>) {
  let names = names.remote
  let sounds = sounds.remote
  Task.detached {
    names.send { names in names.mutate { $0.append("John") } }
    sounds.send { $0.next(1) }
  }
}
