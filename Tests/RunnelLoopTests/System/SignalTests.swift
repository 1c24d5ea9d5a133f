import RunnelLoop
import Testing

@Suite struct SignalTests {
  @Test(arguments: [
    (Signal.hangup, "SIGHUP"), (.terminate, "SIGTERM"), (.user2, "SIGUSR2"),
    (.windowChange, "SIGWINCH"), (.realTime(0), "SIGRTMIN+0"), (.realTime(7), "SIGRTMIN+7"),
    (Signal(rawValue: 0), "signal 0"), (Signal(rawValue: -3), "signal -3"),
    (Signal(rawValue: 99), "signal 99"),
  ])
  func descriptionIsSystemName(_ signal: Signal, _ name: String) {
    #expect("\(signal)" == name)
  }
}
