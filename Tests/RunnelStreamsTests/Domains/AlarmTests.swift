import RunnelStreams
import RunnelTesting
import Testing

@Suite struct AlarmTests {
  @Test func setAgainItForgetsTheCallBefore() {
    let scheduler = TestScheduler()
    let alarm = Alarm(on: scheduler)
    var log: [String] = []
    alarm.set(after: .seconds(1)) { log.append("first") }
    alarm.set(after: .seconds(2)) { log.append("second") }
    scheduler.run()
    #expect(log == ["second"])
  }

  @Test func setAfterItsTeardownItStaysSilent() {
    let alarm = Alarm(on: ImmediateScheduler())
    alarm.tearDown()
    alarm.set(after: .zero) { Issue.record("the alarm went off") }
  }
}
