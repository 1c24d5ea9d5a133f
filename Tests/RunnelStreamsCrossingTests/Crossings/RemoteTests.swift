import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RemoteTests {
  @Test func sendsToAStreamFromAnotherThread() async {
    let log = await ManualContext.onThread { home in
      let names = PushStream<String>()
      let recorder = names.record()
      let remote = names.remote
      let worker = ThreadContext()
      worker.execute { remote.send { $0.next("Jim") } }
      home.run(until: { !recorder.elements.isEmpty })
      worker.join()
      return recorder.elements
    }
    #expect(log == ["Jim"])
  }

  @Test func changesAProperty() async {
    let value = await ManualContext.onThread { home in
      let names = Property(["Jim"])
      let remote = names.remote
      let worker = ThreadContext()
      worker.execute { remote.send { names in names.mutate { $0.append("John") } } }
      home.run(until: { names.value.count == 2 })
      worker.join()
      return names.value
    }
    #expect(value == ["Jim", "John"])
  }

  @MainActor private final class Screen {
    private(set) var heading = ""
    private let shown: CheckedContinuation<String, Never>

    init(_ shown: CheckedContinuation<String, Never>) { self.shown = shown }

    func show(_ text: String) {
      heading = text
      shown.resume(returning: heading)
    }
  }

  @Test @MainActor func callsAMainActorObject() async {
    var screen: Screen?
    let heading = await withCheckedContinuation { continuation in
      let new = Screen(continuation)
      screen = new
      let remote = Remote(new)
      let worker = ThreadContext()
      worker.execute { remote.sendToMain { $0.show("Done") } }
      worker.join()
    }
    #expect(heading == "Done" && screen?.heading == "Done")
  }

  @Test func keepsTheOrderOfEachThread() async {
    let log = await ManualContext.onThread { home in
      let pairs = PushStream<(thread: Int, number: Int)>()
      var log: [[Int]] = [[], [], []]
      let observation = pairs.observeNext { log[$0.thread].append($0.number) }
      let remote = pairs.remote
      let workers = (0..<3).map { _ in ThreadContext() }
      for (thread, worker) in workers.enumerated() {
        worker.execute {
          for number in 1...1000 { remote.send { $0.next((thread, number)) } }
        }
      }
      home.run(until: { log.allSatisfy { $0.count == 1000 } })
      for worker in workers { worker.join() }
      observation.dispose()
      return log
    }
    #expect(log == Array(repeating: Array(1...1000), count: 3))
  }

  @Test func ignoresSendsAfterTheOwnerIsReleased() {
    let home = ManualContext()
    let calls = SharedLog<Int>()
    var owner: Resident? = Resident(of: home, SharedLog<Bool>())
    let remote = home.use { owner.map { Remote($0) } }
    remote?.send { _ in calls.append(1) }
    home.run()
    #expect(calls.all == [1])
    remote?.send { _ in calls.append(2) }
    owner = nil
    home.run()
    remote?.send { _ in calls.append(3) }
    home.run()
    #expect(calls.all == [1])
  }

  @Test func neverReleasesTheOwnerOnAnotherThread() async {
    let deaths = await ManualContext.onThread { home in
      let deaths = SharedLog<Bool>()
      let worker = ThreadContext()
      for round in 1...200 {
        var owner: Resident? = Resident(of: home, deaths)
        if let remote = owner.map({ Remote($0) }) {
          worker.execute { for _ in 1...10 { remote.send { _ in } } }
        }
        if round % 2 == 0 { home.run() }
        owner = nil
      }
      worker.join()
      home.run()
      return deaths.all
    }
    #expect(deaths == Array(repeating: true, count: 200))
  }

  @MainActor @Test func reachesTheMainActor() async {
    let names = Property("Jim")
    let remote = names.remote
    let worker = ThreadContext()
    worker.execute { remote.send { $0.value = "John" } }
    while names.value != "John" { await Task.yield() }
    worker.join()
  }

  @Test func reachesAnObjectOfAnActor() async {
    let counter = Counter()
    let remote = await counter.remote()
    let worker = ThreadContext()
    worker.run { for _ in 1...100 { remote.send { $0.value += 1 } } }
    worker.join()
    // Sends are in order, so this one runs after all earlier ones.
    await withCheckedContinuation { continuation in
      remote.send { _ in continuation.resume() }
    }
    #expect(await counter.count == 100)
  }
}

private actor Counter {
  private let total = Property(0)
  var count: Int { total.value }

  func remote() -> Remote<Property<Int>> { Remote(total) }
}
