import RunnelStreams
import Testing

@Suite struct ReactiveTests {
  @Test func rxAccessesTheObject() {
    let widget = Widget()
    #expect(widget.rx.base === widget)
    widget.rx.title.send("new")
    #expect(widget.title == "new")
  }

  @Test func anyTypeCanHaveReactiveMembers() {
    #expect(Temperature(degrees: 20).rx.isWarm)
    #expect(Reactive(Temperature(degrees: 5)).isWarm == false)
  }

  @Test func isSendableWhereItsBaseIs() {
    func send(_: some Sendable) {}
    send(Temperature(degrees: 20).rx)
  }
}

private struct Temperature: ReactiveCompatible, Sendable {
  let degrees: Int
}

extension Reactive where Base == Temperature {
  fileprivate var isWarm: Bool { base.degrees > 15 }
}
