import RunnelStreams

func keep(_ value: some Sendable) {}

func check(_ event: StreamEvent<Int, Never>, _ end: Termination<Never>, _ how: StreamBuffering) {
  keep(event)
  keep(end)
  keep(how)
}
