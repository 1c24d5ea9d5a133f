import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct AskingTests {
  private struct Price: BusRequest {
    typealias Reply = Int
    let title: String
  }
  private struct Unknown: Error {}

  private func name(of failure: AskFailure) -> String {
    switch failure {
    case .nobodyAnswers: "nobodyAnswers"
    case .timedOut: "timedOut"
    case .failed: "failed"
    }
  }

  private func answers(_ single: Single<Int, AskFailure>) -> [String] {
    var log: [String] = []
    single.observe(succeeded: { log.append("\($0)") }, failed: { log.append(self.name(of: $0)) })
    return log
  }

  @Test func firstAnswerReplies() {
    let bus = EventBus()
    let first = bus.answer(Price.self) { $0.title.count }
    bus.answer(Price.self) { _ in 100 }
    let question = bus.ask(Price(title: "Emma"))
    #expect(answers(question) == ["4"])
    first.dispose()
    #expect(answers(question) == ["100"])
  }

  @Test func asksParentWithoutOwnAnswer() {
    let app = EventBus()
    let editor = EventBus(name: "editor", within: app)
    #expect(answers(editor.ask(Price(title: "Emma"))) == ["nobodyAnswers"])
    app.answer(Price.self) { _ in 1 }
    #expect(answers(editor.ask(Price(title: "Emma"))) == ["1"])
    editor.answer(Price.self) { _ in 2 }
    #expect(answers(editor.ask(Price(title: "Emma"))) == ["2"])
    #expect(answers(app.ask(Price(title: "Emma"))) == ["1"])
  }

  @Test func failureContainsError() {
    let bus = EventBus()
    bus.answer(Price.self) { _ in throw Unknown() }
    var failures: [AskFailure] = []
    bus.ask(Price(title: "Emma")).observe(succeeded: { _ in }, failed: { failures.append($0) })
    guard case .failed(is Unknown)? = failures.first else {
      Issue.record("\(failures)")
      return
    }
  }

  @Test func timesOutAndDisposesAnswer() {
    let scheduler = TestScheduler()
    let bus = EventBus()
    var isDisposed = false
    bus.answer(Price.self) { _ in
      Single<Int, Never> { _ in Disposable { isDisposed = true } }
    }
    var log: [String] = []
    bus.ask(Price(title: "Emma"), within: .seconds(5), on: scheduler)
      .observe(succeeded: { log.append("\($0)") }, failed: { log.append(self.name(of: $0)) })
    scheduler.advance(by: .seconds(4))
    #expect(log == [] && !isDisposed)
    scheduler.advance(by: .seconds(1))
    #expect(log == ["timedOut"] && isDisposed)
  }

  @Test func handlerMayAskAndAnswerMayPublish() {
    let bus = EventBus()
    var log: [Int] = []
    bus.answer(Price.self) { question in
      bus.publish(question.title)
      return question.title.count
    }
    bus.events(Int.self).observeNext { _ in
      bus.ask(Price(title: "Dune")).observe(succeeded: { log.append($0) })
    }
    bus.events(String.self).observeNext { log.append($0.count * 10) }
    bus.publish(1)
    #expect(log == [4, 40])
  }

  @Test func releasedAnswerMayReenterBus() {
    let bus = EventBus()
    var log: [Int] = []
    let last = bus.answer(Price.self) { _ in 3 }
    func addAnswer() -> Disposable {
      let probe = ReleaseProbe {
        bus.ask(Price(title: "Emma")).observe(succeeded: { log.append($0) })
        last.dispose()
        bus.answer(Price.self) { _ in 4 }
      }
      return bus.answer(Price.self) { _ in
        withExtendedLifetime(probe) {}
        return 1
      }
    }
    let first = addAnswer()
    first.dispose()
    bus.ask(Price(title: "Emma")).observe(succeeded: { log.append($0) })
    #expect(log == [3, 4])
  }
}
