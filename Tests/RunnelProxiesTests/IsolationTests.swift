import RunnelProxies
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Proxied
@MainActor
private protocol LoaderDelegate: AnyObject {
  func load(_ row: Int) async throws -> Int
  func willLoad(_ row: Int) async
  func didLoad(_ row: Int)
}

@Proxied
private protocol WorkerDelegate: AnyObject, Sendable {
  func worked(_ row: Int)
  @Default(true) func mayWork() -> Bool
}

/// A gate that suspends answers, and reports when one arrives.
@MainActor
private final class Gate {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var arriving: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      for arrived in arriving { arrived.resume() }
      arriving = []
    }
  }

  func arrival() async {
    if waiting.isEmpty { await withCheckedContinuation { arriving.append($0) } }
  }

  func open() {
    let passing = waiting
    waiting = []
    for continuation in passing { continuation.resume() }
  }
}

@MainActor
private final class Loader: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any LoaderDelegate)?
  var rDelegate: LoaderDelegateProxy { proxy(for: \.delegate) }
}

@MainActor
private final class Target: LoaderDelegate {
  var log: [String] = []
  func load(_ row: Int) async throws -> Int { row * 100 }
  func willLoad(_ row: Int) async { log.append("will load \(row)") }
  func didLoad(_ row: Int) { log.append("did load \(row)") }
}

@Suite @MainActor struct IsolationTests {
  private let loader = Loader()
  private let gate = Gate()

  @Test func anAnswerSeesTheCancellationOfItsCaller() async {
    let gate = gate
    let proxy = loader.rDelegate
    proxy.answer(\.load) { row in
      await gate.pass()
      try Task.checkCancellation()
      return row
    }
    let question = Task { try await proxy.load(1) }
    await gate.arrival()
    question.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await question.value }
    let another = Task { try await proxy.load(2) }
    await gate.arrival()
    gate.open()
    #expect((try? await another.value) == 2)
  }

  @Test func anAnswerDisposedWhileSuspendedStillCounts() async throws {
    let gate = gate
    let proxy = loader.rDelegate
    let target = Target()
    proxy.forwardTo = target
    let answering = proxy.answer(\.load) { row in
      await gate.pass()
      return row
    }
    let question = Task { try await proxy.load(1) }
    await gate.arrival()
    answering.dispose()
    #expect(try await proxy.load(1) == 100)
    gate.open()
    #expect(try await question.value == 1)
  }

  @Test func theHostMayBeReleasedDuringAnAnswer() async throws {
    let gate = gate
    var host: Loader? = Loader()
    var log: [String] = []
    let stream = host?.rDelegate.stream(\.load) {
      (push: PushStream<Int>, row: Int) async throws -> Int in
      push.next(row)
      await gate.pass()
      push.next(-row)
      return row
    }
    stream?.observe(next: { log.append("\($0)") }, completed: { log.append("end") })
    let proxy = try #require(host?.rDelegate)
    let question = Task { try await proxy.load(3) }
    await gate.arrival()
    host = nil
    while log.last != "end" { await Task.yield() }
    gate.open()
    #expect(try await question.value == 3)
    #expect(log == ["3", "end"])
  }

  @Test func questionsAreAnsweredConcurrently() async throws {
    let gate = gate
    let proxy = loader.rDelegate
    proxy.answer(\.load) { row in
      if row == 1 { await gate.pass() }
      return row
    }
    let slow = Task { try await proxy.load(1) }
    await gate.arrival()
    #expect(try await proxy.load(2) == 2)
    gate.open()
    #expect(try await slow.value == 1)
  }

  @Test func anAsyncEventReachesStreamsThenTheTarget() async {
    let target = Target()
    let proxy = loader.rDelegate
    proxy.forwardTo = target
    proxy.stream(\.willLoad).observeNext { target.log.append("stream \($0)") }
    await proxy.willLoad(1)
    #expect(target.log == ["stream 1", "will load 1"])
  }

  @Test func theLatestAnswerOrErrorCounts() async throws {
    let proxy = loader.rDelegate
    let failing = proxy.answer(\.load) { _ in throw Silence() }
    await #expect(throws: Silence()) { try await proxy.load(1) }
    let answering = proxy.answer(\.load) { $0 }
    #expect(try await proxy.load(1) == 1)
    answering.dispose()
    proxy.stream(\.load).observeNext { _ in }
    await #expect(throws: Silence()) { try await proxy.load(1) }
    failing.dispose()
    proxy.forwardTo = nil
    let target = Target()
    proxy.forwardTo = target
    #expect(try await proxy.load(1) == 100)
  }

  @Test func releaseOnAnotherThreadCompletesOnContext() async {
    // Safety: only the other thread uses the variable while this thread waits.
    nonisolated(unsafe) var proxy: LoaderDelegateProxy? = LoaderDelegateProxy()
    var isOver = false
    proxy?.stream(\.didLoad).observe(
      next: { _ in },
      completed: {
        MainActor.assertIsolated()
        isOver = true
      })
    let worker = ThreadContext()
    worker.run { proxy = nil }
    worker.join()
    while !isOver { await Task.yield() }
    #expect(isOver)
  }

  @Test func anEventOnAnotherThreadTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = await ManualContext.onThread { _ in
        let proxy = WorkerDelegateProxy()
        proxy.stream(\.worked).observeNext { _ in }
        proxy.worked(1)
        ThreadContext().run { proxy.worked(2) }
      }
    }
    #expect(
      result.says("WorkerDelegateProxy was called on another thread than that of its streams."))
  }

  @Test func aQuestionOnAnotherThreadTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = await ManualContext.onThread { _ in
        let proxy = WorkerDelegateProxy()
        ThreadContext().run { _ = proxy.mayWork() }
      }
    }
    #expect(result.says("Call it through Remote(proxy)"))
  }

  @Test func aRemoteBringsCallsToTheContext() async {
    let rows = await ManualContext.onThread { home in
      let proxy = WorkerDelegateProxy()
      let remote = Remote(proxy)
      var rows: [Int] = []
      proxy.stream(\.worked).observeNext { rows.append($0) }
      let worker = ThreadContext()
      worker.run { for row in 1...3 { remote.send { $0.worked(row) } } }
      worker.join()
      home.run()
      return rows
    }
    #expect(rows == [1, 2, 3])
  }
}
