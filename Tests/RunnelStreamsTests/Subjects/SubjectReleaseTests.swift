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

  @Test func observersAreLetGoOfAtHome() async {
    let lines = await ManualContext.onThread { home in
      let log = Log()
      let captive = { (name: String) in
        Captive { log.lines.append("\(name) at home: \(home.isCurrent)") }
      }
      self.observe(captive, home) { log.lines.append($0) }
      return log.lines
    }
    #expect(lines == ["released elsewhere", "name at home: true", "events at home: true"])
  }

  private func observe(
    _ captive: (String) -> Captive, _ home: ManualContext, _ log: (String) -> Void
  ) {
    let elsewhere = ThreadContext()
    var model: Model? = Model()
    if let model {
      let (name, events) = (captive("name"), captive("events"))
      model.name.observeNext { _ in name.hold() }
      model.events.observeNext { _ in events.hold() }
    }
    elsewhere.run { [last = model.take()] in withExtendedLifetime(last) {} }
    elsewhere.flush()
    log("released elsewhere")
    home.run()
    elsewhere.join()
  }

  @Test func disposingBeforeHomeHearsOfItIsSafe() async {
    await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var model: Model? = Model()
      var observations: [Disposable] = []
      for _ in 1...100 {
        if let observation = model?.events.observeNext({ _ in }) {
          observations.append(observation)
        }
      }
      elsewhere.run { [last = model.take()] in withExtendedLifetime(last) {} }
      elsewhere.flush()
      // The subject is gone, and its list waits for a turn of this loop.
      for observation in observations { observation.dispose() }
      home.run()
      elsewhere.join()
    }
  }
}
