import RunnelStreams

func removeLast(of names: Property<[String]>) {
  names.mutate { $0.removeLast() }
}
