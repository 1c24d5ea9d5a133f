import Glibc
import RunnelStreams
import RunnelTesting
import Testing

/// A main-actor object may die on any thread, and its subjects with it.
@Suite struct SubjectReleaseTests {
  // Safety: one thread at a time has it, as with an object whose last reference goes elsewhere.
  private final class Model: @unchecked Sendable {
    let name = Property("Jim")
    let events = PushStream<Int>()
  }

  // Safety: it is written at home and read there.
  private final class Log: @unchecked Sendable {
    var lines: [String] = []
  }

  // Safety: as a box it is handed over; the other thread empties it.
  private final class Owner: @unchecked Sendable {
    var model: Model? = Model()
  }

  // Safety: the thread that fills it has ended when it is read.
  private final class Held: @unchecked Sendable {
    var observations: [Disposable] = []
  }

  @Test func observersAreLetGoOfAtHome() async {
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

  /// Home may be in the middle of removing the last observer, and goes on to use the list.
  @Test func releasedElsewhereAnEmptyListGoesHomeToo() async {
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

  @Test func disposingWhereHomeTakesNoMoreJobsIsSafe() async {
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
      // Home never takes the list, so it is never released: a sanitizer would call that a leak.
      _exit(0)
    }
  }

  @Test func disposingBeforeHomeHearsOfItIsSafe() async {
    await ManualContext.onThread { home in
      let (elsewhere, owner) = (ThreadContext(), Owner())
      let observations = (1...100).compactMap { _ in owner.model?.events.observeNext { _ in } }
      elsewhere.run { owner.model = nil }
      // The subject is gone, and its list waits for a turn of this loop.
      for observation in observations { observation.dispose() }
      home.run()
      elsewhere.join()
    }
  }
}
