import RunnelProxies
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct AnswerRequirementTests {
  private let list = SongList()
  private let controller = Controller()
  private var delegate: any SongListDelegate { list.rDelegate }

  @Test func theDefaultAnswersLast() {
    #expect(delegate.songList(list, shouldSelect: 1))
  }

  @Test func theTargetPrecedesTheDefault() {
    controller.maySelect = false
    list.rDelegate.forwardTo = controller
    #expect(!delegate.songList(list, shouldSelect: 1))
    #expect(controller.log == ["may select 1"])
  }

  @Test func aClosurePrecedesTheTarget() {
    list.rDelegate.forwardTo = controller
    var asked: [Int] = []
    let observation = list.rDelegate.stream(\.songList_shouldSelect) {
      (push: PushStream<Int>, _, row) in
      push.next(row)
      return row != 2
    }.observeNext { asked.append($0) }
    #expect(delegate.songList(list, shouldSelect: 1))
    #expect(!delegate.songList(list, shouldSelect: 2))
    #expect(asked == [1, 2])
    #expect(controller.log == [])
    observation.dispose()
    #expect(delegate.songList(list, shouldSelect: 2))
    #expect(controller.log == ["may select 2"])
  }

  @Test func theLatestClosureAnswersAndAllRun() {
    var log: [String] = []
    let first = list.rDelegate.answer(\.title_of) { row in
      log.append("first")
      return "first \(row)"
    }
    let second = list.rDelegate.answer(\.title_of) { row in
      log.append("second")
      return "second \(row)"
    }
    #expect(delegate.title(of: 1) == "second 1")
    #expect(log == ["first", "second"])
    second.dispose()
    #expect(delegate.title(of: 2) == "first 2")
    first.dispose()
    list.rDelegate.forwardTo = controller
    #expect(delegate.title(of: 3) == "Song 3")
  }

  @Test("Answers that come and go leave nothing behind")
  func disposedAnswersAreForgotten() {
    let answers = (0..<10).map { _ in list.rDelegate.answer(\.title_of) { "\($0)" } }
    #expect(list.rDelegate.requirements.title_of.isHeard)
    for answer in answers { answer.dispose() }
    #expect(!list.rDelegate.requirements.title_of.isHeard)
  }

  @Test func aStreamWithoutAClosureDoesNotAnswer() {
    var rows: [Int] = []
    list.rDelegate.stream(\.songList_shouldSelect).observeNext { _, row in rows.append(row) }
    controller.maySelect = false
    list.rDelegate.forwardTo = controller
    #expect(!delegate.songList(list, shouldSelect: 5))
    #expect(rows == [5])
  }

  @Test func aMissingAnswerTrapsWithTheRequirement() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = SongListDelegateProxy().title(of: 1)
    }
    #expect(result.says("SongListDelegate.title(of:) was called, but nothing answers it."))
    #expect(result.says("set forwardTo"))
  }

  @Test func aClosureMayThrow() throws {
    list.rDelegate.answer(\.play) { row throws(Silence) in
      if row == 0 { throw Silence() }
      return row + 1
    }
    #expect(try delegate.play(1) == 2)
    #expect(throws: Silence()) { try delegate.play(0) }
  }

  @Test func anErrorOfTheTargetIsThrown() {
    list.rDelegate.forwardTo = controller
    #expect(throws: Silence()) { try delegate.play(-1) }
  }

  @Test func theLatestAnswerMayBeAnError() throws {
    list.rDelegate.answer(\.play) { _ in 1 }
    let failing = list.rDelegate.answer(\.play) { _ throws(Silence) in throw Silence() }
    #expect(throws: Silence()) { try delegate.play(0) }
    failing.dispose()
    #expect(try delegate.play(0) == 1)
  }

  @Test func closuresChangeAnInoutArgument() {
    list.rDelegate.forwardTo = controller
    var seen: [String] = []
    list.rDelegate.stream(\.rename) { (push: PushStream<String>, title) in
      title.value = title.value.uppercased()
      push.next(title.value)
    }.observeNext { seen.append($0) }
    list.rDelegate.stream(\.rename) { (_: PushStream<Void>, title) in title.value += "?" }
      .observeNext {}
    var title = "emma"
    delegate.rename(&title)
    #expect(title == "EMMA?!")
    #expect(seen == ["EMMA"])
  }

  @Test func aRetainedInoutArgumentChangesNothing() {
    var kept: InoutArgument<String>?
    list.rDelegate.answer(\.rename) { kept = $0 }
    var title = "emma"
    delegate.rename(&title)
    kept?.value = "late"
    #expect(title == "emma")
  }

  @Test func aNonescapingClosureMayBeCalled() {
    list.rDelegate.forwardTo = controller
    list.rDelegate.answer(\.visit) { body in body(1) }
    var visited: [Int] = []
    delegate.visit { visited.append($0) }
    #expect(visited == [1, 7])
  }

  @Test func aPropertyHasAnswersAndEvents() {
    list.rDelegate.forwardTo = controller
    var changes: [Int] = []
    list.rDelegate.stream(\.volume_set).observeNext { changes.append($0) }
    #expect(delegate.volume == 1)
    delegate.volume = 5
    #expect(controller.volume == 5)
    #expect(changes == [5])
    let answering = list.rDelegate.answer(\.volume) { 11 }
    #expect(delegate.volume == 11)
    answering.dispose()
    #expect(delegate.volume == 5)
  }

  @Test func aQuestionInsideAnAnswerIsAnsweredAtOnce() {
    list.rDelegate.answer(\.title_of) { [list] row in
      row == 0 ? "end" : "\(row) \(list.rDelegate.title(of: row - 1))"
    }
    #expect(delegate.title(of: 3) == "3 2 1 end")
  }

  @Test func answersMayBeAddedAndDisposedDuringACall() {
    var log: [String] = []
    let bag = CompositeDisposable()
    bag.add(
      list.rDelegate.answer(\.title_of) { [list] _ in
        log.append("first")
        bag.dispose()
        list.rDelegate.answer(\.title_of) { _ in
          log.append("third")
          return "third"
        }
        return "first"
      })
    bag.add(
      list.rDelegate.answer(\.title_of) { _ in
        log.append("second")
        return "second"
      })
    #expect(delegate.title(of: 0) == "first")
    #expect(log == ["first"])
    #expect(delegate.title(of: 0) == "third")
  }

  // MARK: - Async

  @Test func aClosureAnswersAnAsyncQuestion() async throws {
    let list = SongList()
    var rows: [Int] = []
    list.rDelegate.stream(\.price_of) { (push: PushStream<Int>, row) async throws(Silence) in
      push.next(row)
      await Task.yield()
      if row < 0 { throw Silence() }
      return row * 2
    }.observeNext { rows.append($0) }
    #expect(try await list.rDelegate.price(of: 4) == 8)
    await #expect(throws: Silence()) { try await list.rDelegate.price(of: -4) }
    #expect(rows == [4, -4])
  }

  @Test func theTargetAnswersAnAsyncQuestion() async throws {
    let list = SongList()
    let controller = Controller()
    list.rDelegate.forwardTo = controller
    var rows: [Int] = []
    list.rDelegate.stream(\.price_of).observeNext { rows.append($0) }
    #expect(try await list.rDelegate.price(of: 4) == 40)
    let answering = list.rDelegate.answer(\.price_of) { $0 + 1 }
    #expect(try await list.rDelegate.price(of: 4) == 5)
    answering.dispose()
    #expect(try await list.rDelegate.price(of: 4) == 40)
    #expect(rows == [4, 4, 4])
  }
}
