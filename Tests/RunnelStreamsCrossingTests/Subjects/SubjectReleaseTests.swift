import Glibc
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// A main-actor object, and with it its subjects, can be released on any thread.
@Suite struct SubjectReleaseTests {
  // Safety: one thread at a time uses the object, and the last reference is released on another.
  private final class Model: @unchecked Sendable {
    let name = Property("Jim")
    let events = PushStream<Int>()
  }

  // Safety: only the context's thread writes and reads the log.
  private final class Log: @unchecked Sendable {
    var lines: [String] = []
  }

  // Safety: the box is handed over, and only the other thread empties it.
  private final class Owner: @unchecked Sendable {
    var model: Model? = Model()
  }

  // Safety: the thread that fills it has ended before it is read.
  private final class Held: @unchecked Sendable {
    var observations: [Disposable] = []
  }

  @Test func observersAreReleasedOnTheirContext() async {
    let lines = await ManualContext.onThread { home in
      let (log, elsewhere, owner) = (Log(), ThreadContext(), Owner())
      let captive = { (name: String) in
        Captive { log.lines.append("\(name) at home: \(home.isCurrent)") }
      }
      self.observe(owner, captive("name"), captive("events"))
      elsewhere.run { owner.model = nil }
      log.lines.append("released elsewhere")
      home.run()
      elsewhere.join()
      return log.lines
    }
    #expect(lines == ["released elsewhere", "name at home: true", "events at home: true"])
  }

  private func observe(_ owner: Owner, _ first: Captive, _ second: Captive) {
    owner.model?.name.observeNext { _ in first.hold() }
    owner.model?.events.observeNext { _ in second.hold() }
  }

  /// The context may be removing the last observer and still use the list.
  @Test func anEmptyListIsAlsoReleasedOnItsContext() async {
    let waiting = await ManualContext.onThread { home in
      let (elsewhere, owner) = (ThreadContext(), Owner())
      owner.model?.events.observeNext { _ in }.dispose()
      elsewhere.run { owner.model = nil }
      elsewhere.join()
      let waiting = home.pending
      home.run()
      return waiting
    }
    #expect(waiting == 1)
  }

  @Test func disposalWithoutARunningContextIsSafe() async {
    await #expect(processExitsWith: .success) {
      await ManualContext.onThread { _ in
        let (elsewhere, owner, held) = (ThreadContext(), Owner(), Held())
        elsewhere.run {
          held.observations = (1...3).compactMap { _ in owner.model?.events.observeNext { _ in } }
        }
        elsewhere.join()
        owner.model = nil
        for observation in held.observations { observation.dispose() }
      }
      // The context never runs the release of the list. A sanitizer would report that as a leak.
      _exit(0)
    }
  }

  @Test func disposalBeforeTheContextRunsIsSafe() async {
    await ManualContext.onThread { home in
      let (elsewhere, owner) = (ThreadContext(), Owner())
      let observations = (1...100).compactMap { _ in owner.model?.events.observeNext { _ in } }
      elsewhere.run { owner.model = nil }
      // The subject has been released, and its list waits for a turn of this context.
      for observation in observations { observation.dispose() }
      home.run()
      elsewhere.join()
    }
  }
}
